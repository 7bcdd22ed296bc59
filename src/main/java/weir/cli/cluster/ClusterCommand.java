package weir.cli.cluster;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.cli.CliCommand;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.FormattedCommand;
import weir.cluster.ClusterUnavailable;
import weir.cluster.Progress;
import weir.cluster.release.Release;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.cluster.start.NamedCluster;
import weir.feature.Feature;
import weir.feature.Features;
import weir.host.Children;
import weir.host.Journal;
import weir.host.ProcessId;
import weir.plan.ClusterSpec;
import weir.results.ResultJson;

@Command(
        name = "cluster",
        header = "Manage Kafka clusters for manual use.",
        footer = "Example: weir cluster start --brokers 3",
        synopsisSubcommandLabel = "start|stop|status|topic|fetch",
        subcommands = {
            ClusterCommand.Start.class,
            ClusterCommand.Stop.class,
            ClusterCommand.Status.class,
            ClusterCommand.Topic.class,
            ClusterCommand.Fetch.class
        })
public final class ClusterCommand extends CliCommand implements Runnable {
    @Override
    public void run() {
        throw wrong("the command is missing: start, stop, status, topic or fetch; see weir cluster --help");
    }

    @Command(
            name = "fetch",
            header = "Download releases of Kafka for use without a network.",
            footer = "Example: weir cluster fetch 3.9.1 4.1.0")
    static final class Fetch extends FormattedCommand implements Runnable {
        @Option(names = "--tools", description = "Include Kafka's own performance tools.")
        private boolean tools;

        @Parameters(paramLabel = "VERSION", arity = "1..*", description = "Exact releases, such as 3.9.1.")
        private List<String> versions = List.of();

        @Override
        public void run() {
            versions.forEach(version -> CommandLineCluster.checkRelease(command(), version));
            Progress progress = err()::println;
            try (Journal journal = Journal.open();
                    Children children = Children.open(journal)) {
                versions.forEach(version -> EmbeddedCluster.prepare(version, children, progress));
            }
            for (String version : versions) {
                Release release = tools ? Release.fetchWithTools(version, progress) : Release.fetch(version, progress);
                List<String> jars =
                        release.classpath().stream().map(Object::toString).toList();
                if (format.json()) {
                    out().println(ResultJson.line(Map.of("version", release.version(), "classpath", jars)));
                } else {
                    out().println("Kafka " + release.version() + ": " + jars.size() + " jars");
                }
            }
        }
    }

    @Command(
            name = "start",
            header = "Start a Kafka cluster that runs until weir cluster stop.",
            footer = "Example: weir cluster start --set cluster.security=SSL",
            description = "Prints the bootstrap addresses of the cluster.")
    static final class Start extends FormattedCommand implements Runnable {
        @Mixin
        private ClusterNameOption name = new ClusterNameOption();

        @Option(names = "--kafka", paramLabel = "VERSION", description = "An exact release, 2.7 or later.")
        private String kafka = "";

        @Option(names = "--brokers", paramLabel = "N", description = "Number of brokers (default: 1).")
        private String brokers = "1";

        @Option(
                names = "--set",
                paramLabel = "PATH=VALUE",
                description = "Set a key of the section cluster, such as cluster.broker.num.io.threads=4. Repeatable.")
        private List<String> set = List.of();

        private final List<ClusterExtension> extensions = Features.options(ClusterExtension.class);

        @Spec
        void mixInto(CommandSpec command) {
            extensions.forEach(extension ->
                    command.addMixin(extension.getClass().getSimpleName(), CommandSpec.forAnnotatedObject(extension)));
        }

        @Override
        public void run() {
            NamedCluster cluster;
            List<NamedCluster.Companion> companions = extensions.stream()
                    .map(extension -> extension.companion(command()))
                    .toList();
            ClusterSpec asked = asked();
            Journal.clearAll(Journal.state()).forEach(err()::println);
            Journal.unreported(Journal.state()).ifPresent(err()::println);
            try (Journal journal = Journal.open()) {
                cluster = NamedCluster.start(
                        name.name(),
                        asked,
                        Journal.state(),
                        journal,
                        err()::println,
                        (children, up, logs) -> companions.stream()
                                .flatMap(each -> each.start(children, up, logs).stream())
                                .toList());
            }
            if (format.json()) {
                out().println(ResultJson.line(ClusterNameOption.shown(cluster)));
                return;
            }
            out().println(cluster.bootstrap());
            err().println("Kafka " + cluster.version() + " is up; clients need " + cluster.client()
                    + "; to stop the cluster: weir cluster stop --name " + cluster.name());
        }

        private ClusterSpec asked() {
            set.stream()
                    .filter(value -> !value.startsWith("cluster."))
                    .findFirst()
                    .ifPresent(other -> {
                        throw wrong("--set: '" + other + "' is not a key of the section cluster; write --set"
                                + " cluster.KEY=VALUE");
                    });
            List<String> all = new ArrayList<>();
            if (!kafka.isEmpty()) {
                all.add("cluster.kafka=" + kafka);
            }
            all.add("cluster.brokers=" + brokers);
            all.addAll(set);
            ClusterSpec asked = CommandLineCluster.variant(command(), new ConnectionOptions(), all)
                    .cluster();
            if (asked.startedByWeir()) {
                return asked;
            }
            throw wrong("--set: cluster.bootstrap names a cluster that already runs; remove cluster.bootstrap");
        }
    }

    @Command(
            name = "status",
            header = "List the clusters that were started with weir cluster start.",
            footer = "Example: weir cluster status")
    static final class Status extends FormattedCommand implements Runnable {
        @Override
        public void run() {
            PrintWriter out = out();
            List<ClusterNameOption.Shown> clusters = NamedCluster.list(Journal.state()).stream()
                    .map(ClusterNameOption::shown)
                    .toList();
            if (format.json()) {
                out.println(ResultJson.line(clusters));
                return;
            }
            if (clusters.isEmpty()) {
                err().println("no cluster is running; weir cluster start starts one");
            }
            for (ClusterNameOption.Shown cluster : clusters) {
                out.printf(
                        "%-12s %s  Kafka %s  %d of %d processes run%s  %s%n",
                        cluster.name(),
                        cluster.bootstrap(),
                        cluster.kafka(),
                        cluster.running(),
                        cluster.processes(),
                        cluster.metrics().equals("none") ? "" : ", metrics " + cluster.metrics(),
                        cluster.client());
            }
        }
    }

    /** The stop command, which succeeds even without a cluster, so that scripts can always call it. */
    @Command(
            name = "stop",
            header = "Stop a cluster that was started with weir cluster start, and delete its data.",
            footer = "Example: weir cluster stop --all")
    static final class Stop extends CliCommand implements Runnable {
        @Mixin
        private ClusterNameOption name = new ClusterNameOption();

        @Option(names = "--all", description = "Stop all clusters that were started with weir cluster start.")
        private boolean all;

        @Override
        public void run() {
            List<NamedCluster> meant = NamedCluster.list(Journal.state()).stream()
                    .filter(cluster -> all || cluster.name().equals(name.name()))
                    .toList();
            for (NamedCluster cluster : meant) {
                cluster.stop();
                err().println("stopped '" + cluster.name() + "' at " + cluster.bootstrap());
            }
            if (meant.isEmpty()) {
                err().println(all ? "no cluster is running" : "no cluster '" + name.name() + "' is running");
            }
        }
    }

    @Command(
            name = "topic",
            header = "Create a topic on a cluster of weir cluster start, or on another cluster.",
            footer = "Example: weir cluster topic orders --partitions 12",
            description = "The cluster's defaults apply to omitted options. Weir does not delete the topic.")
    static final class Topic extends CliCommand implements Runnable {
        private static final int UNSAID = Integer.MIN_VALUE;

        @Mixin
        private ClusterNameOption name = new ClusterNameOption();

        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();

        @Option(names = "--partitions", paramLabel = "N", description = "Number of partitions of the topic.")
        private int partitions = UNSAID;

        @Option(names = "--replication-factor", paramLabel = "N", description = "Number of replicas of each partition.")
        private int replication = UNSAID;

        @Option(
                names = "--config",
                paramLabel = "NAME=VALUE",
                description = "Property of the topic, such as retention.ms=60000. Repeatable.")
        private List<String> config = List.of();

        @Parameters(paramLabel = "TOPIC", description = "Name of the topic.")
        private String topic = "";

        @Override
        public void run() {
            CommandLineCluster.checkTopic(command(), topic);
            OptionalInt spread = number("--partitions", partitions, Integer.MAX_VALUE);
            OptionalInt replicas = number("--replication-factor", replication, Short.MAX_VALUE);
            SortedMap<String, String> properties = properties();
            ExternalCluster cluster = cluster();
            cluster.makeTopic(topic, spread, replicas, properties);
            err().println("created topic '" + topic + "' at " + cluster.bootstrap());
        }

        private OptionalInt number(String option, int given, int most) {
            if (given == UNSAID) {
                return OptionalInt.empty();
            }
            if (given < 1 || given > most) {
                throw wrong(option + ": must be between 1 and " + most + ", found '" + given + "'");
            }
            return OptionalInt.of(given);
        }

        private SortedMap<String, String> properties() {
            SortedMap<String, String> properties = new TreeMap<>();
            for (String property : config) {
                int equals = property.indexOf('=');
                if (equals < 1) {
                    throw wrong("--config: '" + property + "' is not NAME=VALUE, such as retention.ms=60000");
                }
                properties.put(property.substring(0, equals).strip(), property.substring(equals + 1));
            }
            return properties;
        }

        private ExternalCluster cluster() {
            ConnectionOptions there = connection;
            boolean elsewhere = !connection.bootstrap().isEmpty()
                    || !connection.commandConfig().isEmpty();
            if (elsewhere && command().getParseResult().hasMatchedOption("--name")) {
                throw wrong("--name: names a cluster of weir cluster start, but "
                        + (connection.bootstrap().isEmpty() ? "--command-config" : "--bootstrap-server")
                        + " names another cluster; remove one of the two options");
            }
            if (!elsewhere) {
                NamedCluster named = NamedCluster.list(Journal.state()).stream()
                        .filter(cluster -> cluster.name().equals(name.name()))
                        .findFirst()
                        .orElseThrow(() -> new ClusterUnavailable("no cluster '" + name.name() + "' is running;"
                                + " start it with 'weir cluster start --name " + name.name() + "', or name another"
                                + " cluster with --bootstrap-server"));
                there = connection.with("", named.client().toString());
            }
            return CommandLineCluster.connect(command(), there);
        }
    }

    static final class ClusterNameOption {
        @Spec(Spec.Target.MIXEE)
        private CommandSpec spec = CommandSpec.create();

        private String name = "kafka";

        @Option(names = "--name", paramLabel = "NAME", description = "Name of the cluster (default: kafka).")
        void name(String given) {
            NamedCluster.wrongName(given).ifPresent(wrong -> {
                throw new ParameterException(spec.commandLine(), "--name: " + wrong);
            });
            name = given;
        }

        String name() {
            return name;
        }

        static Shown shown(NamedCluster cluster) {
            return new Shown(
                    cluster.name(),
                    cluster.bootstrap(),
                    cluster.version(),
                    cluster.running(),
                    cluster.processes().size(),
                    metrics(cluster),
                    cluster.client().toString(),
                    cluster.logs().toString());
        }

        private static String metrics(NamedCluster cluster) {
            if (cluster.companions().isEmpty()) {
                return "none";
            }
            return cluster.companions().stream().allMatch(ProcessId::alive) ? "served" : "ended";
        }

        /**
         * The description of a cluster for its user.
         *
         * @param metrics "served" while the metrics process runs, "ended" after its end, "none" if not requested
         */
        record Shown(
                String name,
                String bootstrap,
                String kafka,
                int running,
                int processes,
                String metrics,
                String client,
                String logs) {}
    }

    /** The part of a feature in {@code weir cluster start}; its fields are picocli options. */
    public interface ClusterExtension extends Feature.Part {
        /** Checks the options, and returns a starter of additional processes for the cluster. */
        NamedCluster.Companion companion(CommandLine command);
    }
}
