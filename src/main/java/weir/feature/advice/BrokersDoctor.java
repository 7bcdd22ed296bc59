package weir.feature.advice;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import weir.cli.CommandLineCluster;
import weir.cli.ConnectionOptions;
import weir.cli.DoctorOutput;
import weir.cli.FormatOption;
import weir.cluster.admin.ClusterSurvey;
import weir.cluster.admin.ClusterSurveyor;
import weir.cluster.start.ExternalCluster;
import weir.feature.advice.AdviceRule.Advice;
import weir.probe.Finding;
import weir.probe.Finding.Verdict;
import weir.probe.MachineCheck;
import weir.probe.brokerhost.BrokerHost;
import weir.probe.brokerhost.KafkaProcess;
import weir.probe.brokerhost.KafkaProcess.LogFolder;
import weir.results.ResultJson;
import weir.run.Exit;

/** The advice for the brokers of an external cluster, or for this machine and its brokers. */
record BrokersDoctor(String of, List<Advice> advice) {
    static int call(CommandLine command, FormatOption format, ConnectionOptions connection) throws IOException {
        boolean given =
                !connection.bootstrap().isEmpty() || !connection.commandConfig().isEmpty() || connection.anyProperty();
        BrokersDoctor doctor =
                given ? of(command, connection) : new BrokersDoctor("this machine", of(BrokerHost.here()));
        boolean fit = doctor.count(Verdict.BAD) == 0;
        if (format.json()) {
            doctor.json(command.getOut(), fit);
        } else {
            doctor.text(command.getOut());
        }
        return (fit ? Exit.FINE : Exit.PREFLIGHT).code();
    }

    private static BrokersDoctor of(CommandLine command, ConnectionOptions connection) {
        try (ExternalCluster cluster = CommandLineCluster.connect(command, connection)) {
            return new BrokersDoctor(
                    "the cluster at " + cluster.bootstrap() + " (Kafka " + cluster.version() + ")",
                    of(ClusterSurveyor.survey(cluster)));
        }
    }

    static List<Advice> of(ClusterSurvey survey) {
        return AdviceRule.about("cluster").stream()
                .map(rule -> rule.on(new ClusterFacts(survey), "", ""))
                .toList();
    }

    static List<Advice> of(BrokerHost host) {
        List<Advice> all = new ArrayList<>();
        AdviceRule.about("host")
                .forEach(rule -> all.add(
                        rule.judges()
                                ? rule.on(new BrokerHostFacts(host), "", "")
                                : rule.advice(machine(host, rule.name()))));
        for (KafkaProcess process : host.processes()) {
            AdviceRule.about("process").stream()
                    .filter(rule -> !process.controllerOnly() || rule.row().has("controllers"))
                    .forEach(rule -> all.add(rule.on(new ProcessFacts(host, process), process.name(), "")));
            for (LogFolder folder : process.folders()) {
                AdviceRule.about("folder")
                        .forEach(rule ->
                                all.add(rule.on(ProcessFacts.of(folder), process.name(), " (" + folder.path() + ")")));
            }
            process.unread().forEach(sentence -> all.add(unread(process.name(), sentence)));
        }
        if (host.processes().isEmpty()) {
            all.add(unread(
                    "Kafka processes", "this user cannot read any Kafka process, so Weir checked only the machine"));
        }
        return all;
    }

    private static Finding machine(BrokerHost host, String name) {
        Map<String, Double> figures = new TreeMap<>();
        String swap = host.facts().getOrDefault("swap.mib", "");
        if (swap.matches(AdviceFacts.NUMBER)) {
            figures.put("swap.mib", Double.parseDouble(swap));
        }
        return new MachineCheck(host.facts(), figures)
                .findings().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("the check of a machine has no '" + name + "'"));
    }

    private static Advice unread(String name, String sentence) {
        return AdviceRule.about("nothing")
                .get(0)
                .advice(new Finding(
                        name, "", Verdict.UNKNOWN, sentence, "start weir as the user of the broker process"));
    }

    void text(PrintWriter out) {
        out.printf("advice for brokers, about %s%n%n", plain(of));
        for (Advice each : advice) {
            Finding finding = each.finding();
            out.printf(
                    "%-8s%-42s %-24s %s%n",
                    DoctorOutput.word(finding),
                    plain(finding.name()),
                    finding.figure().isEmpty() ? "?" : plain(finding.figure()),
                    plain(finding.meaning()));
            if (finding.verdict() == Verdict.DOUBT || finding.verdict() == Verdict.BAD) {
                line(out, "do", finding.advice());
                line(out, "rule", each.rule().text("rule"));
                line(out, "source", each.rule().source() + " <" + each.rule().url() + ">");
                line(out, "gain", each.rule().text("gain"));
            }
        }
        out.printf("%n%s%n", summary());
        out.flush();
    }

    private static void line(PrintWriter out, String word, String text) {
        out.printf("%-8s  %-7s %s%n", "", word, plain(text));
    }

    private String summary() {
        int bad = count(Verdict.BAD);
        List<String> unknown = advice.stream()
                .map(Advice::finding)
                .filter(finding -> finding.verdict() == Verdict.UNKNOWN)
                .map(Finding::name)
                .distinct()
                .toList();
        return (bad == 0 ? "no risk found" : AdviceFacts.count(bad, "risk"))
                + ", " + AdviceFacts.count(count(Verdict.DOUBT), "doubt")
                + ", " + count(Verdict.UNKNOWN) + " unknown, " + count(Verdict.FINE) + " fine"
                + (unknown.isEmpty()
                        ? ""
                        : "; unknown: " + plain(AdviceFacts.Fact.of(unknown).text()));
    }

    private int count(Verdict verdict) {
        return (int) advice.stream()
                .filter(each -> each.finding().verdict() == verdict)
                .count();
    }

    void json(PrintWriter out, boolean fit) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("version", 1);
        object.put("of", of);
        object.put("fit", fit);
        object.put("findings", advice.stream().map(BrokersDoctor::object).toList());
        out.println(ResultJson.line(object));
    }

    private static Map<String, Object> object(Advice advice) {
        Map<String, Object> one = DoctorOutput.object(advice.finding());
        one.put("rule", advice.rule().text("rule"));
        one.put("source", advice.rule().source());
        one.put("url", advice.rule().url());
        one.put("gain", advice.rule().text("gain"));
        return one;
    }

    private static String plain(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
