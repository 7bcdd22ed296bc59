package weir.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import weir.probe.Finding;
import weir.results.ResultJson;
import weir.run.Exit;

public final class DoctorOutput {
    /** An item that a killed run left; {@code then} describes how Weir handles the item. */
    public record Leftover(String kind, String what, String then) {}

    private DoctorOutput() {}

    /**
     * Prints the findings; returns the exit code.
     *
     * @param more additional fields for JSON
     * @param clean the command that removes the leftovers; empty if this command removes them
     */
    public static int examined(
            CommandLine command,
            FormatOption format,
            List<Finding> findings,
            Map<String, Object> more,
            List<Leftover> left,
            String clean) {
        PrintWriter out = command.getOut();
        boolean fit = count(findings, Finding.Verdict.BAD) == 0;
        if (format.json()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("version", 1);
            object.put("fit", fit);
            object.put("findings", findings.stream().map(DoctorOutput::object).toList());
            object.putAll(more);
            object.put("left", left);
            out.println(ResultJson.line(object));
        } else {
            print(out, findings);
            left(out, left, clean);
            out.println(summary(fit, findings));
        }
        return (fit ? Exit.FINE : Exit.PREFLIGHT).code();
    }

    public static int cleaned(
            CommandLine command,
            FormatOption format,
            Map<String, Object> more,
            boolean nothing,
            List<String> done,
            List<String> failed) {
        PrintWriter out = command.getOut();
        if (format.json()) {
            Map<String, Object> object = new TreeMap<>(more);
            object.putAll(Map.of("version", 1, "done", done, "failed", failed));
            out.println(ResultJson.line(object));
        } else if (nothing) {
            out.println("no leftovers");
        } else {
            done.forEach(out::println);
        }
        failed.forEach(command.getErr()::println);
        return (failed.isEmpty() ? Exit.FINE : Exit.PREFLIGHT).code();
    }

    private static void print(PrintWriter out, List<Finding> findings) {
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

    public static void left(PrintWriter out, List<Leftover> leftovers, String command) {
        if (leftovers.isEmpty()) {
            return;
        }
        out.printf("%nleftovers of killed runs:%n");
        leftovers.forEach(one -> out.printf("  %-8s%s (%s)%n", one.kind(), one.what(), one.then()));
        if (!command.isEmpty() && leftovers.stream().anyMatch(one -> one.then().contains("--clean"))) {
            out.printf("  to delete leftovers: %s%n", command);
        }
        out.println();
    }

    private static String summary(boolean fit, List<Finding> findings) {
        long doubts = count(findings, Finding.Verdict.DOUBT);
        return fit
                ? "fit for measuring" + (doubts == 0 ? "" : ", with " + doubts + (doubts == 1 ? " doubt" : " doubts"))
                : "not fit for measuring: " + count(findings, Finding.Verdict.BAD) + " bad, " + doubts + " doubtful";
    }

    private static long count(List<Finding> findings, Finding.Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    public static Map<String, Object> object(Finding finding) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", finding.name());
        one.put("figure", finding.figure().isEmpty() ? null : finding.figure());
        one.put("verdict", word(finding));
        one.put("means", finding.meaning());
        one.put("do", finding.advice());
        return one;
    }

    public static String word(Finding finding) {
        return finding.verdict().name().toLowerCase(Locale.ROOT);
    }
}
