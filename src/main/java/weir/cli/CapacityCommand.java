package weir.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.cli.perf.PerfPlan;
import weir.plan.Problems;

/** Finds the highest rate that a Kafka holds, without a file. */
@Command(
        name = "capacity",
        header = "Find the highest rate that a Kafka sustains within limits.",
        description = {
            "Tries fixed rates, one after the other, until the highest that is sustained and the lowest that is refused are as"
                    + " close as asked; a longer trial confirms the answer. Always required: 99.5 %% of the rate is"
                    + " achieved, no queue grows, nothing fails, nothing is lost, and the readers do not fall behind.",
            "A cluster of --bootstrap-server is not ours, so there it takes a bound: --to or --max-rate."
        })
final class CapacityCommand implements Callable<Integer> {
    private static final String NAME = "capacity";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunCommandOptions settings = new RunCommandOptions();

    @Option(
            names = "--limit",
            paramLabel = "LIMIT",
            description = "A limit to keep, such as 'response p99 < 50ms'. May be given several times.")
    private List<String> limits = List.of();

    @Option(names = "--precision", paramLabel = "SHARE", description = "How close the ends of the answer must be.")
    private String precision = "5%";

    @Option(names = "--from", paramLabel = "RATE", description = "The lowest rate it tries: 1k/s.")
    private String from = "";

    @Option(names = "--to", paramLabel = "RATE", description = "The highest rate that may be tried.")
    private String to = "";

    @Option(names = "--workload", paramLabel = "WORKLOAD", description = "deliver (the default), produce, write, …")
    private String workload = "deliver";

    @Option(names = "--engine", paramLabel = "ENGINE", description = "client (the default) or wire.")
    private String engine = "";

    @Option(names = "--value-size", paramLabel = "SIZE", description = "Size of values, such as 1KiB or 100B..4KiB.")
    private String size = "";

    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of the topic.")
    private String partitions = "";

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

    @Override
    public Integer call() throws IOException {
        PerfPlan plan = plan();
        try (GeneratedExperiment written = new GeneratedExperiment()) {
            Path file = written.folder().resolve(NAME + ".yaml");
            Files.writeString(file, plan.text());
            return settings.conduct(spec, file, false);
        } catch (Problems problems) {
            List<String> told = plan.told(problems);
            told.subList(0, told.size() - 1)
                    .forEach(line -> spec.commandLine().getErr().println(spec.qualifiedName() + ": " + line));
            throw new ParameterException(spec.commandLine(), told.get(told.size() - 1));
        }
    }

    /** The experiment that the flags say. */
    private PerfPlan plan() {
        PerfPlan plan = new PerfPlan();
        plan.add("name: " + NAME);
        plan.add("question: " + PerfPlan.quoted(question()));
        boolean ours = !kafka.isEmpty() || !brokers.isEmpty();
        if (ours && settings.elsewhere()) {
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
        plan.add("topics:").add("  capacity:");
        value(plan, "    partitions", "--partitions", partitions.isEmpty() ? "6" : partitions);
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
        properties(plan, "  producer", "--producer-property", producer);
        properties(plan, "  consumer", "--consumer-property", consumer);
        // What is missing in a section is found at its first line, which is no flag's.
        plan.add("search:").add("  capacity:").add("    warmup: 2s");
        value(plan, "    precision", "--precision", precision);
        value(plan, "    from", "--from", from);
        value(plan, "    to", "--to", to);
        if (!limits.isEmpty()) {
            plan.add("    limits:");
            limits.forEach(limit -> plan.add("      - " + PerfPlan.quoted(limit), "--limit " + limit));
        }
        return plan;
    }

    private String question() {
        return "What is the highest rate that is sustained"
                + (limits.isEmpty() ? "" : " with " + String.join(" and ", limits)) + "?";
    }

    private static void value(PerfPlan plan, String key, String flag, String value) {
        if (!value.isEmpty()) {
            plan.add(key + ": " + PerfPlan.quoted(value), flag);
        }
    }

    private void properties(PerfPlan plan, String key, String flag, List<String> given) {
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
