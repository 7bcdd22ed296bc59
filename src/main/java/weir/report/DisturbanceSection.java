package weir.report;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Count;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;

/** The disturbances of a run, trial by trial, and what each of them did. */
final class DisturbanceSection {
    private static final List<String> COLUMNS =
            List.of("", "disturbance", "begins", "over", "gap", "recovery", "lost", "duplicated");

    private DisturbanceSection() {}

    static boolean any(RunView run) {
        return run.results().stream().anyMatch(trial -> !trial.disturbances().isEmpty());
    }

    private static List<List<String>> rows(RunView run) {
        List<List<String>> rows = new ArrayList<>();
        for (TrialView trial : run.trials()) {
            for (DisturbanceResult one : trial.result().disturbances()) {
                Double over = one.to();
                rows.add(List.of(
                        trial.label(),
                        one.name() + ": " + one.what(),
                        NumberFormat.seconds(one.from()),
                        over == null ? NumberFormat.MISSING : NumberFormat.seconds(over),
                        NumberFormat.seconds(one.gap()),
                        one.recoveryTime(),
                        NumberFormat.count(trial.result().figures().count(Count.LOST)),
                        NumberFormat.count(trial.result().figures().count(Count.DUPLICATED))));
            }
        }
        return rows;
    }

    static Html html(RunView run) {
        Table table = new Table(2, COLUMNS);
        rows(run).forEach(table::row);
        Html html = new Html();
        html.element(
                "p",
                "\u201cgap\u201d: the longest time from the begin on in which nothing was acknowledged or received, in whole"
                        + " seconds. \u201crecovery\u201d: from the end of the disturbance, or from its begin where it has none,"
                        + " until three windows in a row were as before: nothing failed, at least 95 % of what was due was"
                        + " acknowledged, and p99 was at most twice that of before and 10 ms. Lost and duplicated are those of"
                        + " the whole trial.",
                "class",
                "note");
        return html.add(table.html("t-disturbances", "What each disturbance did"));
    }

    static void lines(RunView run, TextLines lines) {
        List<List<String>> rows = rows(run);
        if (!rows.isEmpty()) {
            rows.add(0, COLUMNS);
            lines.add("");
            lines.table(rows, TextReport.MOST_ROWS);
        }
    }
}
