package weir.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import weir.cli.terminal.LineOutput;
import weir.cluster.ClusterUnavailable;
import weir.cluster.release.KafkaVersion;
import weir.cluster.start.ExternalCluster;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.Problems;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** The cluster that a command line names without an experiment file. */
public final class CommandLineCluster {
    private static final String SMALLEST = "name: none\nload: { rate: 1/s }\nmeasure: 1s\n";

    private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    private CommandLineCluster() {}

    public static ExternalCluster connect(CommandLine command, ConnectionOptions connection) {
        ClusterSpec asked = variant(command, connection, List.of()).cluster();
        if (asked.startedByWeir()) {
            throw new ParameterException(
                    command, "--bootstrap-server is missing; write it like --bootstrap-server HOST:PORT");
        }
        return ExternalCluster.connect(asked);
    }

    public static Variant variant(CommandLine command, ConnectionOptions connection, List<String> set) {
        List<String> all = new ArrayList<>(connection.set());
        all.addAll(set);
        Overrides overrides = new Overrides(
                all, connection.client(), connection.bootstrap(), connection.commandConfig(), List.of(), false);
        Experiment experiment = PlanReader.read(Path.of("cluster"), SMALLEST, overrides);
        if (!experiment.missing().isEmpty()) {
            throw new Problems(experiment.missing());
        }
        experiment.remarks().forEach(remark -> command.getErr().println(LineOutput.harmless("note: " + remark)));
        return experiment.variants().get(0);
    }

    public static void checkTopic(CommandLine command, String topic) {
        if (!TOPIC.matcher(topic).matches()) {
            throw new ParameterException(
                    command,
                    "'" + LineOutput.harmless(topic)
                            + "' is not a topic name; use up to 249 letters, digits, '.', '_' and '-'");
        }
    }

    public static void checkRelease(CommandLine command, String release) {
        try {
            KafkaVersion.of(release);
        } catch (ClusterUnavailable e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }
}
