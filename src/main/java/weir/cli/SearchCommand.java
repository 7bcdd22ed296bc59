package weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weir.plan.Problems;

/** A search command without an experiment file, whose flags describe the load, the cluster and the run. */
public abstract class SearchCommand extends CliCommand implements Gate {
    @Mixin
    private RunCommandOptions settings = new RunCommandOptions();

    @Option(
            names = "--workload",
            paramLabel = "WORKLOAD",
            description = "Workload: produce, write, ... (default: deliver).")
    private String workload = "deliver";

    @Option(names = "--engine", paramLabel = "ENGINE", description = "Engine: client or wire (default: client).")
    private String engine = "";

    @Option(names = "--value-size", paramLabel = "SIZE", description = "Size of values, such as 1KiB or 100B..4KiB.")
    private String size = "";

    @Option(names = "--replication", paramLabel = "N", description = "Replication factor of the topic.")
    private String replication = "";

    @Option(names = "--producers", paramLabel = "N", description = "Number of producers (default: 1).")
    private String producers = "";

    @Option(names = "--consumers", paramLabel = "N", description = "Number of consumers (default: 1).")
    private String consumers = "";

    @Option(
            names = "--producer-property",
            paramLabel = "NAME=VALUE",
            description = "Property of the producers, such as linger.ms=10. Repeatable.")
    private List<String> producer = List.of();

    @Option(
            names = "--consumer-property",
            paramLabel = "NAME=VALUE",
            description = "Property of the consumers. Repeatable.")
    private List<String> consumer = List.of();

    @Option(names = "--kafka", paramLabel = "RELEASE", description = "Kafka release to start.")
    private String kafka = "";

    @Option(names = "--brokers", paramLabel = "N", description = "Number of brokers to start.")
    private String brokers = "";

    public static final class Limits {
        @Option(
                names = "--limit",
                paramLabel = "LIMIT",
                description = "Limit that a sustained rate must keep, such as 'response p99 < 50ms'. Repeatable.")
        private List<String> given = List.of();

        public List<String> given() {
            return given;
        }

        public void add(FlagPlan plan) {
            if (!given.isEmpty()) {
                plan.add("    limits:");
                given.forEach(limit -> plan.add("      - " + FlagPlan.quoted(limit), "--limit " + limit));
            }
        }
    }

    protected abstract String question();

    /** Returns the number of partitions; empty if the search chooses the number. */
    protected abstract String partitions();

    protected abstract void search(FlagPlan plan);

    @Override
    public final Integer call() throws IOException {
        FlagPlan plan = new FlagPlan();
        plan.add("name: " + spec().name()).add("question: " + FlagPlan.quoted(question()));
        load(plan);
        plan.add("search:").add("  " + spec().name() + ":");
        search(plan);
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            Path file = written.folder().resolve(spec().name() + ".yaml");
            Files.writeString(file, plan.text());
            return settings.conduct(file, false);
        } catch (Problems problems) {
            throw wrong(plan.message(problems, line -> err().println(spec().qualifiedName() + ": " + line)));
        }
    }

    private void load(FlagPlan plan) {
        if (!kafka.isEmpty() || !brokers.isEmpty()) {
            if (settings.namesCluster()) {
                throw wrong((kafka.isEmpty() ? "--brokers" : "--kafka") + ": has no effect on the cluster of"
                        + " --bootstrap-server; remove one of the two options");
            }
            plan.add("cluster:").value("  kafka", "--kafka", kafka).value("  brokers", "--brokers", brokers);
        }
        boolean usual = partitions().isEmpty() && replication.isEmpty();
        plan.add("topics:")
                .add("  " + spec().name() + ":" + (usual ? " {}" : ""))
                .value("    partitions", "--partitions", partitions())
                .value("    replication", "--replication", replication)
                .add("load:")
                .value("  workload", "--workload", workload)
                .value("  engine", "--engine", engine)
                .value("  producers", "--producers", producers)
                .value("  consumers", "--consumers", consumers);
        if (!size.isEmpty()) {
            plan.add("  value:").value("    size", "--value-size", size);
        }
        properties(plan, "  producer", "--producer-property", producer);
        properties(plan, "  consumer", "--consumer-property", consumer);
    }

    private void properties(FlagPlan plan, String key, String flag, List<String> given) {
        if (!given.isEmpty()) {
            plan.add(key + ":");
        }
        for (String property : given) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                throw wrong(flag + ": '" + property + "' is not name=value, such as linger.ms=10");
            }
            String name = FlagPlan.quoted(property.substring(0, equals));
            plan.add("    " + name + ": " + FlagPlan.quoted(property.substring(equals + 1)), flag);
        }
    }
}
