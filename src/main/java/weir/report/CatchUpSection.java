package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.CatchUpResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;

/** How readers caught up with producers that went on, trial by trial. */
final class CatchUpSection {
    private CatchUpSection() {}

    static boolean any(RunView run) {
        return run.results().stream().anyMatch(trial -> trial.catchUp() != null);
    }

    static Html html(RunView run) {
        Table table = new Table(
                1,
                "",
                "backlog",
                "MiB",
                "caught up in",
                "expected",
                "read meanwhile",
                "MiB/s",
                "lost of it",
                "p50 before",
                "during",
                "after",
                "p99 before",
                "during",
                "after");
        for (TrialView trial : run.trials()) {
            CatchUpResult one = trial.result().catchUp();
            if (one != null) {
                table.row(
                        trial.label(),
                        NumberFormat.count(one.behind()),
                        number(one.mebibytes()),
                        one.time(),
                        one.expectedSeconds() == null
                                ? NumberFormat.MISSING
                                : NumberFormat.seconds(one.expectedSeconds()),
                        NumberFormat.rate(one.recordsPerSecond()),
                        number(one.mebibytesPerSecond()),
                        NumberFormat.count(one.lost()),
                        latency(one.before(), 50),
                        latency(one.during(), 50),
                        latency(one.after(), 50),
                        latency(one.before(), 99),
                        latency(one.during(), 99),
                        latency(one.after(), 99));
            }
        }
        Html html = new Html();
        html.element(
                "p",
                "The readers begin with the measured phase, at the oldest record. They have caught up when they are behind by"
                        + " no more than what arrives in a second, and stay so for three looks, a second apart."
                        + " \u201cbefore\u201d: the producers alone, in the second half of the warm-up; \u201cduring\u201d: what was"
                        + " due until the readers had caught up; \u201cexpected\u201d: where they had not, when they would have,"
                        + " had the lag gone on to shrink as it did. End-to-end latencies are those of what became due in the"
                        + " measured phase; only the seconds of \u201cOver time\u201d have the backlog, too.",
                "class",
                "note");
        return html.add(table.html("t-catch-up", "Catching up, and the producers' response meanwhile"));
    }

    /** For a terminal: a row for each trial. */
    private static List<List<String>> brief(RunView run) {
        return run.trials().stream()
                .filter(trial -> trial.result().catchUp() != null)
                .map(trial ->
                        row(trial.label(), Objects.requireNonNull(trial.result().catchUp())))
                .toList();
    }

    private static final List<String> BRIEF =
            List.of("", "backlog", "caught up in", "read", "p99 before", "during", "after");

    private static List<String> row(String label, CatchUpResult one) {
        return List.of(
                label,
                NumberFormat.count(one.behind()),
                one.time(),
                NumberFormat.rate(one.recordsPerSecond()),
                latency(one.before(), 99),
                latency(one.during(), 99),
                latency(one.after(), 99));
    }

    private static String latency(LatencyResult of, double percentile) {
        return NumberFormat.latency(of, percentile);
    }

    private static String number(@Nullable Double value) {
        return value == null ? NumberFormat.MISSING : NumberFormat.number(value);
    }

    static void lines(RunView run, TextLines lines) {
        List<List<String>> rows = new ArrayList<>(brief(run));
        if (!rows.isEmpty()) {
            rows.add(0, BRIEF);
            lines.add("");
            lines.table(rows, TextReport.MOST_ROWS);
        }
    }
}
