package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;

/** Every trial, and every step of every trial with all its figures. */
final class StepSection {
    private static final List<Double> TAIL = List.of(99.0, 99.9, 99.99);
    private static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9, 99.99);

    private static final List<Count> NEVER_CAME =
            List.of(Count.FAILED, Count.LOST, Count.UNSENT, Count.UNRESOLVED, Count.UNREAD);

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

    /** The far percentiles of every trial, and how far apart those of a variant lie. */
    static Html trials(RunView run) {
        List<Function<Figures, LatencyResult>> latencies = new ArrayList<>(List.of(Figures::response));
        List<String> columns =
                new ArrayList<>(List.of("trial", "at", "response p99", "response p99.9", "response p99.99"));
        if (run.read()) {
            latencies.add(Figures::e2e);
            columns.addAll(List.of("e2e p99", "e2e p99.9", "e2e p99.99"));
        }
        Table table = new Table(1, columns);
        for (String variant : run.variants()) {
            List<TrialView> trials = run.of(variant);
            trials.forEach(trial -> table.row(tails(trial, latencies)));
            if (trials.size() > 1) {
                table.cells(spread(variant, trials, latencies));
            }
        }
        return new Html()
                .element(
                        "p",
                        "Of a load in steps the slowest of those that rise, which every trial carries most easily. The spread is"
                                + " from the least to the most of a variant's trials, and the ratio of the two; \u201cthin\u201d:"
                                + " fewer than ten messages lie beyond a percentile.",
                        "class",
                        "note")
                .add(table.html("t-trials", "Every trial, and how well trials of a variant agree"));
    }

    private static List<String> tails(TrialView trial, List<Function<Figures, LatencyResult>> latencies) {
        StepResult step = trial.result().slowestRising();
        List<String> cells = new ArrayList<>(
                List.of(trial.label(), step == null ? NumberFormat.MISSING : NumberFormat.rate(step.rate())));
        latencies.forEach(latency ->
                TAIL.forEach(percentile -> cells.add(NumberFormat.latency(latency.apply(slowest(trial)), percentile))));
        return cells;
    }

    private static Figures slowest(TrialView trial) {
        StepResult step = trial.result().slowestRising();
        return step == null ? trial.result().figures() : step.figures();
    }

    private static List<Table.Cell> spread(
            String variant, List<TrialView> trials, List<Function<Figures, LatencyResult>> latencies) {
        List<Table.Cell> cells =
                new ArrayList<>(List.of(new Table.Cell(variant + ", spread", "muted"), new Table.Cell("", "")));
        for (Function<Figures, LatencyResult> latency : latencies) {
            for (double percentile : TAIL) {
                List<LatencyResult> known = trials.stream()
                        .map(trial -> latency.apply(slowest(trial)))
                        .filter(one -> one.at(percentile) != null)
                        .sorted(Comparator.comparing(one -> Objects.requireNonNull(one.at(percentile))))
                        .toList();
                cells.add(new Table.Cell(known.size() < 2 ? NumberFormat.MISSING : spread(known, percentile), "muted"));
            }
        }
        return cells;
    }

    /** From the least to the most, and their ratio; any that is only a lower bound may be the most. */
    private static String spread(List<LatencyResult> sorted, double percentile) {
        double least = Objects.requireNonNull(sorted.get(0).at(percentile));
        double most = Objects.requireNonNull(sorted.get(sorted.size() - 1).at(percentile));
        String from = NumberFormat.millis(least);
        String to = NumberFormat.millis(most);
        String unit = to.substring(to.indexOf(' '));
        String shorter = from.endsWith(unit) ? from.substring(0, from.length() - unit.length()) : from;
        boolean bound = sorted.get(0).isBound(percentile);
        String atLeast = sorted.stream().anyMatch(one -> one.isBound(percentile)) ? "\u2265 " : "";
        String ratio = least > 0 && !bound ? ", " + atLeast + NumberFormat.times(most / least) : "";
        return (bound ? "\u2265 " : "") + shorter + " \u2013 " + atLeast + to + ratio;
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

    /** The longest time until all that was due in a step had come; where in a trial it never did, with what did not come. */
    static String drained(List<StepResult> trial) {
        double longest = 0;
        for (StepResult step : trial) {
            Double after = step.drainedAfter();
            if (after == null) {
                String missing = NumberFormat.listed(NEVER_CAME.stream()
                        .filter(count -> step.figures().orZero(count) > 0)
                        .map(count -> NumberFormat.count(step.figures().count(count)) + " " + count.word())
                        .toList());
                return missing.isEmpty() ? NumberFormat.MISSING : "never: " + missing;
            }
            longest = Math.max(longest, after);
        }
        return NumberFormat.millis(longest * 1000);
    }
}
