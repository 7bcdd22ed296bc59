package weir.report;

import java.util.ArrayList;
import java.util.List;
import weir.results.Figures;
import weir.results.LatencyResult;
import weir.results.LoadCurve;
import weir.results.StepResult;
import weir.results.StepVerdict;
import weir.results.Written;

/** Every step of every trial with all its figures. */
final class EachStep {
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9, 99.99);

    private EachStep() {}

    static Html html(Story story) {
        List<String> columns = new ArrayList<>(List.of("trial", "offered", "achieved"));
        for (String latency : List.of("service", "response", "e2e")) {
            columns.add(latency + " p50");
            columns.addAll(List.of("p99", "p99.9", "p99.99"));
        }
        columns.addAll(List.of("failed", "lost", "lag at its end", "drained after", "", "why"));
        Table table = new Table(1, columns);
        for (Pass pass : story.passes()) {
            List<StepResult> steps = pass.result().steps();
            for (StepResult step : steps.size() > 1 ? steps : List.<StepResult>of()) {
                table.cells(row(pass, step));
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

    private static List<Table.Cell> row(Pass pass, StepResult step) {
        Figures figures = step.figures();
        List<Table.Cell> cells = new ArrayList<>();
        cells.add(new Table.Cell(pass.label() + ", " + Written.step(step.label()), ""));
        cells.add(new Table.Cell(Written.rate(step.rate()), ""));
        cells.add(new Table.Cell(Written.rate(LoadCurve.achievedPerSecond(step)), ""));
        for (LatencyResult latency : List.of(figures.service(), figures.response(), figures.e2e())) {
            PERCENTILES.forEach(percentile -> cells.add(new Table.Cell(Written.latency(latency, percentile), "")));
        }
        cells.add(new Table.Cell(Written.count(figures.failed()), ""));
        cells.add(new Table.Cell(Written.count(figures.lost()), ""));
        cells.add(new Table.Cell(Written.count(figures.lag().end()), ""));
        cells.add(new Table.Cell(drained(List.of(step)), ""));
        StepVerdict verdict = step.verdict();
        cells.add(
                verdict == null
                        ? new Table.Cell(Written.MISSING, "")
                        : new Table.Cell(verdict.text(), "state " + Written.state(verdict.state())));
        cells.add(new Table.Cell(verdict == null ? "" : verdict.why(), "text"));
        return cells;
    }

    /** The longest time until all that was due in a step had come; "never" where in a trial it did not. */
    static String drained(List<StepResult> pass) {
        double longest = 0;
        for (StepResult step : pass) {
            Double after = step.drainedAfter();
            if (after == null) {
                return step.verdict() == null ? Written.MISSING : "never";
            }
            longest = Math.max(longest, after);
        }
        return Written.millis(longest * 1000);
    }
}
