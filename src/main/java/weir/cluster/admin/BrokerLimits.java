package weir.cluster.admin;

import java.time.Duration;
import java.util.OptionalLong;
import org.apache.kafka.common.KafkaException;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;

/** The brokers' limits on client requests. */
public final class BrokerLimits {
    private static final StartTimeouts PATIENCE = StartTimeouts.of(Duration.ofSeconds(15));

    private BrokerLimits() {}

    /** The lowest {@code transaction.max.timeout.ms} of all brokers; empty if they do not report it. */
    public static OptionalLong transactionTimeoutMillis(Cluster cluster) {
        try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), PATIENCE)) {
            DescribedConfigs configs = new DescribedConfigs(answers);
            return cluster.brokers().stream()
                    .flatMap(broker -> configs.of(broker, cluster).stream())
                    .filter(property -> property.name().equals("transaction.max.timeout.ms"))
                    .mapToLong(property -> Long.parseLong(property.effective()))
                    .min();
        } catch (KafkaException untold) {
            return OptionalLong.empty();
        }
    }
}
