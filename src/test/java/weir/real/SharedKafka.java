package weir.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import weir.cluster.start.EmbeddedCluster;

/**
 * Clusters that classes of tests share. A cluster starts when a test first asks for it, and stops after the last test.
 * Each class uses its own topics; classes that disturb a cluster run in the same thread.
 */
public final class SharedKafka implements ParameterResolver {
    public record Clusters(ExtensionContext.Store store) {
        public EmbeddedCluster of(Kafkas kafkas) {
            return store.computeIfAbsent(kafkas, Running::start, Running.class)
                    .kafka
                    .cluster();
        }

        /** Returns one broker for tests that only need topics. */
        public EmbeddedCluster one() {
            return of(Kafkas.of("4.4.0", 1)
                    .broker("group.initial.rebalance.delay.ms", "0")
                    // Idle brokers write two records a second as a sign of life, which takes a third of their CPU.
                    .broker("metadata.max.idle.interval.ms", "20000")
                    // Quotas that hold within a second. The default allows ten seconds' worth of the quota at once.
                    .broker("quota.window.num", "2"));
        }

        /** Returns three brokers that tests may kill and pause. A broker is fenced after three seconds, not nine. */
        EmbeddedCluster three() {
            return of(Kafkas.of("4.4.0", 3)
                    .controllers(1)
                    .broker("broker.session.timeout.ms", "3000")
                    .broker("broker.heartbeat.interval.ms", "300")
                    .broker("group.initial.rebalance.delay.ms", "0")
                    .broker("metadata.max.idle.interval.ms", "20000")
                    .broker("transaction.state.log.replication.factor", "3")
                    .broker("transaction.state.log.min.isr", "2")
                    .broker("offsets.topic.replication.factor", "3")
                    // With the default, each broker's death would need a hundred more leader elections.
                    .broker("transaction.state.log.num.partitions", "3")
                    .broker("offsets.topic.num.partitions", "3"));
        }
    }

    private record Running(Path folder, OwnKafka kafka) implements AutoCloseable {
        static Running start(Kafkas kafkas) {
            try {
                Path folder = Files.createTempDirectory("weir-shared-");
                return new Running(folder, OwnKafka.start(folder, kafkas));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            kafka.close();
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Clusters.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return new Clusters(context.getRoot().getStore(ExtensionContext.Namespace.create(SharedKafka.class)));
    }
}
