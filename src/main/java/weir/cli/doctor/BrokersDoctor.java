package weir.cli.doctor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.FormatOption;
import weir.cluster.admin.ClusterSurvey;
import weir.cluster.admin.ClusterSurveyor;
import weir.cluster.start.ExternalCluster;
import weir.plan.ClusterSpec;
import weir.probe.Finding;
import weir.probe.Finding.Verdict;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;
import weir.probe.brokerhost.LogFolder;
import weir.run.Exit;

/** Advice for brokers: those of a given cluster, or those of this machine and the machine itself. */
final class BrokersDoctor {
    private final CommandLine command;
    private final FormatOption format;

    BrokersDoctor(CommandLine command, FormatOption format) {
        this.command = command;
        this.format = format;
    }

    int call(ConnectionOptions connection) throws IOException {
        boolean given =
                !connection.bootstrap().isEmpty() || !connection.commandConfig().isEmpty() || connection.anyProperty();
        String of = "this machine";
        List<Advice> advice;
        if (given) {
            ClusterSpec spec = CommandLineCluster.cluster(command, connection);
            if (spec.ours()) {
                throw new ParameterException(command, "--bootstrap-server is missing: which cluster?");
            }
            try (ExternalCluster cluster = ExternalCluster.connect(spec)) {
                of = "the cluster at " + cluster.bootstrap() + " (Kafka " + cluster.version() + ")";
                advice = of(ClusterSurveyor.survey(cluster));
            }
        } else {
            advice = of(BrokerHost.here());
        }
        boolean fit = advice.stream().noneMatch(each -> each.finding().verdict() == Verdict.BAD);
        AdviceOutput output = new AdviceOutput(of, advice);
        if (format.json()) {
            output.json(command.getOut(), fit);
        } else {
            output.text(command.getOut());
        }
        return (fit ? Exit.FINE : Exit.PREFLIGHT).code();
    }

    /** Every rule for a cluster, on this one. */
    static List<Advice> of(ClusterSurvey survey) {
        return Stream.of(DurabilityRules.ALL, StandingRules.ALL, ServiceRules.ALL)
                .flatMap(List::stream)
                .map(rule -> rule.on(survey))
                .toList();
    }

    /** Every rule for a host, on this one and on all that runs there. */
    static List<Advice> of(BrokerHost host) {
        List<Advice> all = new ArrayList<>();
        HostRules.ALL.forEach(rule -> all.add(rule.on(host)));
        for (KafkaProcess process : host.processes()) {
            ProcessRules.ALL.stream()
                    .filter(rule -> !process.controllerOnly() || ProcessRules.FOR_CONTROLLERS.contains(rule.name()))
                    .forEach(rule -> all.add(rule.on(new ProcessRules.Hosted(host, process), process.name())));
            for (LogFolder folder : process.folders()) {
                ProcessRules.FOLDERS.forEach(
                        rule -> all.add(rule.on(folder, process.name()).at(folder.path())));
            }
            process.unread().forEach(sentence -> all.add(unread(process, sentence)));
        }
        if (host.processes().isEmpty()) {
            all.add(unread(
                    "Kafka processes", "none was found that this user may look at, so only the machine was judged"));
        }
        return all;
    }

    private static Advice unread(KafkaProcess process, String sentence) {
        return unread(process.name(), sentence);
    }

    private static Advice unread(String name, String sentence) {
        return new Advice(
                new Finding(name, "", Verdict.UNKNOWN, sentence, "start weir as the user that the broker runs as"),
                "what a rule needs can be read",
                AdviceSource.HARDWARE,
                "heap, flags, limits and log folders of the broker are judged, too");
    }
}
