package weir.cli.doctor;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weir.cli.terminal.JsonOutput;
import weir.probe.Finding;
import weir.probe.Finding.Verdict;

/**
 * Advice as it is told.
 *
 * @param of what it is about
 */
record AdviceOutput(String of, List<Advice> advice) {
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
                line(out, "rule", each.rule());
                line(out, "source", each.source().name() + " <" + each.source().url() + ">");
                line(out, "gain", each.gain());
            }
        }
        out.printf("%n%s%n", summary());
        out.flush();
    }

    private static void line(PrintWriter out, String word, String text) {
        out.printf("%-8s  %-7s %s%n", "", word, plain(text));
    }

    private String summary() {
        long bad = count(Verdict.BAD);
        long doubts = count(Verdict.DOUBT);
        List<String> unknown = advice.stream()
                .map(Advice::finding)
                .filter(finding -> finding.verdict() == Verdict.UNKNOWN)
                .map(Finding::name)
                .distinct()
                .toList();
        return (bad == 0 ? "no risk was found" : bad + (bad == 1 ? " risk" : " risks"))
                + ", " + doubts + (doubts == 1 ? " doubt" : " doubts")
                + ", " + count(Verdict.UNKNOWN) + " unknown, " + count(Verdict.FINE) + " fine"
                + (unknown.isEmpty() ? "" : "; nothing can be said of " + plain(ClusterFacts.some(unknown)));
    }

    private long count(Verdict verdict) {
        return advice.stream()
                .filter(each -> each.finding().verdict() == verdict)
                .count();
    }

    void json(PrintWriter out, boolean fit) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("version", 1);
        object.put("of", of);
        object.put("fit", fit);
        object.put("findings", advice.stream().map(AdviceOutput::object).toList());
        JsonOutput.print(out, object);
    }

    private static Map<String, Object> object(Advice advice) {
        Map<String, Object> one = DoctorOutput.object(advice.finding());
        one.put("rule", advice.rule());
        one.put("source", advice.source().name());
        one.put("url", advice.source().url());
        one.put("gain", advice.gain());
        return one;
    }

    /** Names of racks, folders and clients come from outside, and a terminal obeys control characters. */
    private static String plain(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
