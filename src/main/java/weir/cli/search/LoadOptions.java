package weir.cli.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.GeneratedExperiment;
import weir.cli.RunCommandOptions;
import weir.cli.perf.PerfPlan;
import weir.plan.Problems;

/** The load that a search without a file tries, and the cluster that is started for it. */
final class LoadOptions {
    @Option(names = "--workload", paramLabel = "WORKLOAD", description = "deliver (the default), produce, write, …")
    private String workload = "deliver";

    @Option(names = "--engine", paramLabel = "ENGINE", description = "client (the default) or wire.")
    private String engine = "";

    @Option(names = "--value-size", paramLabel = "SIZE", description = "Size of values, such as 1KiB or 100B..4KiB.")
    private String size = "";

    @Option(names = "--replication", paramLabel = "N", description = "Replication factor of the topic.")
    private String replication = "";

    @Option(names = "--producers", paramLabel = "N", description = "Number of producers; 1.")
    private String producers = "";

    @Option(names = "--consumers", paramLabel = "N", description = "Number of consumers; 1.")
    private String consumers = "";

    @Option(
            names = "--producer-property",
            paramLabel = "NAME=VALUE",
            description = "Such as linger.ms=10. May be given several times.")
    private List<String> producer = List.of();

    @Option(names = "--consumer-property", paramLabel = "NAME=VALUE", description = "The same for consumers.")
    private List<String> consumer = List.of();

    @Option(names = "--kafka", paramLabel = "RELEASE", description = "The release to start.")
    private String kafka = "";

    @Option(names = "--brokers", paramLabel = "N", description = "Number of brokers to start.")
    private String brokers = "";

    /** The cluster, one topic and the load as sections of an experiment; {@code partitions} of the topic, empty for its own number. */
    void add(PerfPlan plan, CommandSpec spec, boolean elsewhere, String topic, String partitions) {
        boolean ours = !kafka.isEmpty() || !brokers.isEmpty();
        if (ours && elsewhere) {
            throw new ParameterException(
                    spec.commandLine(),
                    (kafka.isEmpty() ? "--brokers" : "--kafka") + " is of a cluster that is started here; leave it out,"
                            + " or leave out --bootstrap-server");
        }
        if (ours) {
            plan.add("cluster:");
            value(plan, "  kafka", "--kafka", kafka);
            value(plan, "  brokers", "--brokers", brokers);
        }
        plan.add("topics:").add("  " + topic + ":" + (partitions.isEmpty() && replication.isEmpty() ? " {}" : ""));
        value(plan, "    partitions", "--partitions", partitions);
        value(plan, "    replication", "--replication", replication);
        plan.add("load:");
        value(plan, "  workload", "--workload", workload);
        value(plan, "  engine", "--engine", engine);
        value(plan, "  producers", "--producers", producers);
        value(plan, "  consumers", "--consumers", consumers);
        if (!size.isEmpty()) {
            plan.add("  value:");
            value(plan, "    size", "--value-size", size);
        }
        properties(plan, spec, "  producer", "--producer-property", producer);
        properties(plan, spec, "  consumer", "--consumer-property", consumer);
    }

    /** Runs what the flags say; a problem is told where its flag is. */
    static Integer conduct(CommandSpec spec, RunCommandOptions settings, PerfPlan plan, String name)
            throws IOException {
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            Path file = written.folder().resolve(name + ".yaml");
            Files.writeString(file, plan.text());
            return settings.conduct(spec, file, false);
        } catch (Problems problems) {
            List<String> told = plan.told(problems);
            told.subList(0, told.size() - 1)
                    .forEach(line -> spec.commandLine().getErr().println(spec.qualifiedName() + ": " + line));
            throw new ParameterException(spec.commandLine(), told.get(told.size() - 1));
        }
    }

    static void value(PerfPlan plan, String key, String flag, String value) {
        if (!value.isEmpty()) {
            plan.add(key + ": " + PerfPlan.quoted(value), flag);
        }
    }

    private static void properties(PerfPlan plan, CommandSpec spec, String key, String flag, List<String> given) {
        if (given.isEmpty()) {
            return;
        }
        plan.add(key + ":");
        for (String property : given) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                throw new ParameterException(
                        spec.commandLine(), flag + ": '" + property + "' is not name=value, such as linger.ms=10");
            }
            plan.add(
                    "    " + PerfPlan.quoted(property.substring(0, equals)) + ": "
                            + PerfPlan.quoted(property.substring(equals + 1)),
                    flag);
        }
    }
}
