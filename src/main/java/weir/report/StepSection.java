package weir.report;

import java.util.ArrayList;
import java.util.List;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.StepVerdict;

/** Every step of every trial with all its figures. */
final class StepSection {
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9, 99.99);

    private StepSection() {}

    static Html html(RunView run) {
        List<String> columns = new ArrayList<>(List.of("trial", "offered", "achieved"));
        for (String latency : List.of("service", "response", "e2e")) {
            columns.add(latency + " p50");
            columns.addAll(List.of("p99", "p99.9", "p99.99"));
        }
        columns.addAll(List.of("failed", "lost", "lag at its end", "drained after", "", "why"));
        Table table = new Table(1, columns);
        for (TrialView trial : run.trials()) {
            List<StepResult> steps = trial.result().steps();
            for (StepResult step : steps.size() > 1 ? steps : List.<StepResult>of()) {
                table.cells(row(trial, step));
            }
        }
        return table.empty()
                ? new Html()
                : new Html()
                        .open("details", "class", "more")
                        .element("summary", "Each step of each trial")
                        .add(table.html("t-each-step", "Each step of each trial, judged by its own trial alone"))
                        .close();
    }

    private static List<Table.Cell> row(TrialView trial, StepResult step) {
        Figures figures = step.figures();
        List<Table.Cell> cells = new ArrayList<>();
        cells.add(new Table.Cell(trial.label() + ", " + NumberFormat.step(step.label()), ""));
        cells.add(new Table.Cell(NumberFormat.rate(step.rate()), ""));
        cells.add(new Table.Cell(NumberFormat.rate(LoadCurve.achievedPerSecond(step)), ""));
        for (LatencyResult latency : List.of(figures.latency(LatencyKind.SERVICE), figures.response(), figures.e2e())) {
            PERCENTILES.forEach(percentile -> cells.add(new Table.Cell(NumberFormat.latency(latency, percentile), "")));
        }
        cells.add(new Table.Cell(NumberFormat.count(figures.count(Count.FAILED)), ""));
        cells.add(new Table.Cell(NumberFormat.count(figures.count(Count.LOST)), ""));
        cells.add(new Table.Cell(NumberFormat.count(figures.lag().end()), ""));
        cells.add(new Table.Cell(drained(List.of(step)), ""));
        StepVerdict verdict = step.verdict();
        cells.add(
                verdict == null
                        ? new Table.Cell(NumberFormat.MISSING, "")
                        : new Table.Cell(
                                verdict.text(), "state " + verdict.state().word()));
        cells.add(new Table.Cell(verdict == null ? "" : verdict.why(), "text"));
        return cells;
    }

    /** The longest time until all that was due in a step had come; "never" where in a trial it did not. */
    static String drained(List<StepResult> trial) {
        double longest = 0;
        for (StepResult step : trial) {
            Double after = step.drainedAfter();
            if (after == null) {
                boolean open = step.verdict() == null || step.figures().count(Count.UNRESOLVED) == null;
                return open ? NumberFormat.MISSING : "never";
            }
            longest = Math.max(longest, after);
        }
        return NumberFormat.millis(longest * 1000);
    }
}
