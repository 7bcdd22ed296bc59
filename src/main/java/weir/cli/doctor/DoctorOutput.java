package weir.cli.doctor;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import weir.probe.Finding;

/** Tells what the doctor has found. */
final class DoctorOutput {
    private DoctorOutput() {}

    static boolean fit(List<Finding> findings) {
        return findings.stream().noneMatch(finding -> finding.verdict() == Finding.Verdict.BAD);
    }

    static void print(PrintWriter out, List<Finding> findings) {
        for (Finding finding : findings) {
            out.printf(
                    "%-8s%-36s%-22s %s%n",
                    word(finding),
                    finding.name(),
                    finding.figure().isEmpty() ? "?" : finding.figure(),
                    finding.meaning());
            if (!finding.advice().isEmpty() && finding.verdict() != Finding.Verdict.FINE) {
                out.printf("%-8s%-36s%-22s → %s%n", "", "", "", finding.advice());
            }
        }
    }

    /** @param command the one that cleans; empty where it is under way */
    static void left(PrintWriter out, List<LeftoverCleanup.Told> told, String command) {
        if (told.isEmpty()) {
            return;
        }
        out.printf("%nleftovers of killed runs:%n");
        told.forEach(one -> out.printf("  %-8s%s (%s)%n", one.kind(), one.what(), one.then()));
        if (!command.isEmpty() && told.stream().anyMatch(one -> one.then().contains("--clean"))) {
            out.printf("  to clean: %s%n", command);
        }
        out.println();
    }

    static String summary(boolean fit, List<Finding> findings) {
        long doubts = count(findings, Finding.Verdict.DOUBT);
        return fit
                ? "fit for measuring" + (doubts == 0 ? "" : ", with " + doubts + (doubts == 1 ? " doubt" : " doubts"))
                : "not fit for measuring: " + count(findings, Finding.Verdict.BAD) + " bad, " + doubts + " in doubt";
    }

    private static long count(List<Finding> findings, Finding.Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    static Map<String, Object> object(boolean fit, List<Finding> findings) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("version", 1);
        object.put("fit", fit);
        object.put("findings", findings.stream().map(DoctorOutput::object).toList());
        return object;
    }

    static Map<String, Object> object(Finding finding) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", finding.name());
        one.put("figure", finding.figure().isEmpty() ? null : finding.figure());
        one.put("verdict", word(finding));
        one.put("means", finding.meaning());
        one.put("do", finding.advice());
        return one;
    }

    static String word(Finding finding) {
        return finding.verdict().name().toLowerCase(Locale.ROOT);
    }
}
