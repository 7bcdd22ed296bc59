package weir.report.export;

import java.util.List;
import java.util.Locale;
import weir.report.block.Html;
import weir.results.RunComparison;
import weir.results.RunResult;
import weir.results.history.RunTrend;
import weir.results.value.TrialResult;

/** Results for programs that know the test reports of JUnit and Ant. */
public final class JUnitXml {
    private JUnitXml() {}

    public static String of(RunResult result) {
        double seconds =
                result.trials().stream().mapToDouble(TrialResult::seconds).sum();
        String started = result.trials().isEmpty() ? "" : result.trials().get(0).startedAt();
        return xml(result.name(), CheckItem.of(result), seconds, started);
    }

    public static String of(RunComparison comparison) {
        String name = comparison.runs().get(0).name();
        return xml("compare." + name, CheckItem.of(comparison), 0, "");
    }

    public static String of(RunTrend trend) {
        return xml("trend." + trend.name(), CheckItem.of(trend), 0, "");
    }

    private static String xml(String name, List<CheckItem> checks, double seconds, String started) {
        String counts = String.format(
                Locale.ROOT,
                "tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\"",
                checks.size(),
                count(checks, CheckItem.State.FAILED),
                count(checks, CheckItem.State.ERROR),
                seconds);
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append("<testsuites ").append(counts).append(">\n");
        xml.append("  <testsuite name=\"weir.")
                .append(Html.escape(name))
                .append("\" ")
                .append(counts);
        if (!started.isEmpty()) {
            // The schema knows no zone and no fraction; the time is UTC.
            xml.append(" timestamp=\"")
                    .append(Html.escape(started.replaceFirst("(\\.\\d+)?Z$", "")))
                    .append('"');
        }
        xml.append(">\n");
        for (CheckItem check : checks) {
            xml.append("    <testcase classname=\"weir.").append(Html.escape(name));
            xml.append("\" name=\"").append(Html.escape(check.name())).append("\" time=\"0\"");
            switch (check.state()) {
                case PASSED -> xml.append("/>\n");
                case FAILED -> xml.append(element("failure", check));
                case ERROR -> xml.append(element("error", check));
            }
        }
        return xml.append("  </testsuite>\n</testsuites>\n").toString();
    }

    private static String element(String name, CheckItem check) {
        String text = Html.escape(check.text());
        return ">\n      <" + name + " message=\"" + text.replace("\n", "&#10;") + "\" type=\"" + name + "\">" + text
                + "</" + name + ">\n    </testcase>\n";
    }

    private static long count(List<CheckItem> checks, CheckItem.State state) {
        return checks.stream().filter(check -> check.state() == state).count();
    }
}
