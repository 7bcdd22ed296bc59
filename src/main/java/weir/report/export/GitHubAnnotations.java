package weir.report.export;

import java.util.ArrayList;
import java.util.List;
import weir.report.CompareReport;
import weir.report.trend.TrendReport;
import weir.results.RunComparison;
import weir.results.RunResult;
import weir.results.history.RunTrend;

/** The failures, as commands that GitHub's runner turns into annotations of the run and of the pull request. */
public final class GitHubAnnotations {
    private GitHubAnnotations() {}

    /** A line for each thing that is not as it should be, and one for the answer. */
    public static List<String> of(RunResult result) {
        return lines(
                "weir " + result.name(),
                CheckItem.of(result),
                result.conclusion().answer());
    }

    public static List<String> of(RunComparison comparison) {
        return lines("weir compare", CheckItem.of(comparison), CompareReport.answer(comparison));
    }

    public static List<String> of(RunTrend trend) {
        return lines("weir trend " + trend.name(), CheckItem.of(trend), TrendReport.answer(trend));
    }

    private static List<String> lines(String title, List<CheckItem> checks, String answer) {
        List<String> lines = new ArrayList<>();
        for (CheckItem check : checks) {
            if (check.state() != CheckItem.State.PASSED) {
                lines.add(command("error", title, check.name() + " – " + check.text()));
            }
        }
        lines.add(command("notice", title, answer));
        return lines;
    }

    private static String command(String level, String title, String message) {
        return "::" + level + " title=" + data(title).replace(":", "%3A").replace(",", "%2C") + "::" + data(message);
    }

    /** A line break would end the command, and what follows it could be another one. */
    private static String data(String text) {
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }
}
