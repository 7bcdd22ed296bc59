package weir.cli.cluster;

import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cluster.ClusterUnavailable;
import weir.cluster.start.ExternalCluster;
import weir.cluster.start.NamedCluster;
import weir.host.Journal;
import weir.plan.ClusterSpec;

/** Makes a topic, with the options of {@code kafka-topics --create}. */
@Command(
        name = "topic",
        header = "Make a topic, on a Kafka started by hand or on another.",
        description = "What is not said the cluster chooses. The topic stays.")
final class ClusterTopicCommand implements Runnable {
    private static final int UNSAID = Integer.MIN_VALUE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterNameOption name = new ClusterNameOption();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--partitions", paramLabel = "N", description = "Of the topic.")
    private int partitions = UNSAID;

    @Option(names = "--replication-factor", paramLabel = "N", description = "Copies of each partition.")
    private int replication = UNSAID;

    @Option(
            names = "--config",
            paramLabel = "NAME=VALUE",
            description = "A property of the topic, such as retention.ms=60000. May be given several times.")
    private List<String> config = List.of();

    @Parameters(paramLabel = "TOPIC", description = "What it is to be called.")
    private String topic = "";

    @Override
    public void run() {
        CommandLineCluster.checkTopic(spec.commandLine(), topic);
        OptionalInt spread = number("--partitions", partitions, Integer.MAX_VALUE);
        OptionalInt replicas = number("--replication-factor", replication, Short.MAX_VALUE);
        SortedMap<String, String> properties = properties();
        ExternalCluster cluster = cluster();
        cluster.makeTopic(topic, spread, replicas, properties);
        spec.commandLine().getErr().println("made topic '" + topic + "' at " + cluster.bootstrap());
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }

    private OptionalInt number(String option, int given, int most) {
        if (given == UNSAID) {
            return OptionalInt.empty();
        }
        if (given < 1 || given > most) {
            throw wrong(option + ": '" + given + "' is not from 1 to " + most);
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

    /** The one that the options name, or else the one started by hand. */
    private ExternalCluster cluster() {
        ConnectionOptions there = connection;
        boolean elsewhere =
                !connection.bootstrap().isEmpty() || !connection.commandConfig().isEmpty();
        if (elsewhere && spec.commandLine().getParseResult().hasMatchedOption("--name")) {
            throw wrong("--name: is a cluster started by hand, and "
                    + (connection.bootstrap().isEmpty() ? "--command-config" : "--bootstrap-server")
                    + " means another; leave one of them out");
        }
        if (!elsewhere) {
            NamedCluster named = NamedCluster.list(Journal.state()).stream()
                    .filter(cluster -> cluster.name().equals(name.name()))
                    .findFirst()
                    .orElseThrow(() -> new ClusterUnavailable("no cluster '" + name.name()
                            + "' was started by hand; 'weir cluster start --name " + name.name()
                            + "' starts one, and --bootstrap-server names another"));
            there = connection.with(named.client());
        }
        ClusterSpec asked = CommandLineCluster.cluster(spec.commandLine(), there);
        if (!asked.ours()) {
            return ExternalCluster.connect(asked);
        }
        throw wrong("--bootstrap-server is missing: which cluster?");
    }
}
