package weir.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import weir.cli.CommandLineCluster;
import weir.cli.FormatOption;
import weir.cli.terminal.JsonOutput;
import weir.cluster.start.NamedCluster;
import weir.host.Journal;
import weir.plan.ClusterSpec;

/** Starts a Kafka that goes on until it is stopped. */
@Command(
        name = "start",
        header = "Start a Kafka that goes on until weir cluster stop.",
        description = "Prints where it listens. --set takes every key of the cluster section:"
                + " --set cluster.security=SSL --set cluster.broker.num.io.threads=4")
final class ClusterStartCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterNameOption name = new ClusterNameOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(names = "--kafka", paramLabel = "VERSION", description = "An exact release, from 2.7 on.")
    private String kafka = "";

    @Option(names = "--brokers", paramLabel = "N", description = "Number of brokers; 1.")
    private String brokers = "1";

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "A key of the cluster section of a file.")
    private List<String> set = List.of();

    @Mixin
    private ClusterMetricsOptions metrics = new ClusterMetricsOptions();

    @Override
    public void run() {
        NamedCluster cluster;
        NamedCluster.Companion companion = metrics.companion(spec.commandLine());
        ClusterSpec asked = asked();
        Journal.clearAll(Journal.state()).forEach(spec.commandLine().getErr()::println);
        Journal.untold(Journal.state()).ifPresent(spec.commandLine().getErr()::println);
        try (Journal journal = Journal.open()) {
            cluster = NamedCluster.start(
                    name.name(),
                    asked,
                    Journal.state(),
                    journal,
                    spec.commandLine().getErr()::println,
                    companion);
        }
        if (format.json()) {
            JsonOutput.print(spec.commandLine().getOut(), ClusterNameOption.shown(cluster));
            return;
        }
        spec.commandLine().getOut().println(cluster.bootstrap());
        spec.commandLine()
                .getErr()
                .println("Kafka " + cluster.version() + " is up; clients need " + cluster.client()
                        + "; weir cluster stop --name " + cluster.name() + " ends it");
    }

    private ClusterSpec asked() {
        set.stream().filter(value -> !value.startsWith("cluster.")).findFirst().ifPresent(other -> {
            throw new ParameterException(
                    spec.commandLine(),
                    "--set: '" + other + "' is no key of the cluster section; write cluster.KEY=VALUE");
        });
        List<String> all = new ArrayList<>();
        if (!kafka.isEmpty()) {
            all.add("cluster.kafka=" + kafka);
        }
        all.add("cluster.brokers=" + brokers);
        all.addAll(set);
        ClusterSpec asked = CommandLineCluster.cluster(spec.commandLine(), all);
        if (asked.ours()) {
            return asked;
        }
        throw new ParameterException(spec.commandLine(), "--set: a cluster that is there already cannot be started");
    }
}
