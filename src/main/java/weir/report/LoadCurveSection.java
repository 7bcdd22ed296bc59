package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;

/** The report section about each offered rate: latency, achieved rate, and the verdict on the step. */
final class LoadCurveSection {
    private static final String STEPS = "t-steps";

    private static final List<Double> TAIL = List.of(99.0, 99.9, 99.99);
    private static final List<Count> NEVER_CAME =
            List.of(Count.FAILED, Count.LOST, Count.UNSENT, Count.UNRESOLVED, Count.UNREAD);

    private final RunView run;
    private final List<LoadCurve> curves;
    private final Axis offered;

    private record Line(String name, String look, String dash, double percentile) {
        double of(LatencyResult response) {
            return Known.orNaN(response.at(percentile));
        }
    }

    private static final List<Line> LINES = List.of(
            new Line("p50", "c6", "dotted", 50),
            new Line("p99", "c1", "solid", 99),
            new Line("p99.9", "c2", "dashed", 99.9));

    private LoadCurveSection(RunView run) {
        this.run = run;
        List<LoadCurve> all = run.variants().stream().map(run::curve).toList();
        List<LoadCurve> stepped =
                all.stream().filter(curve -> curve.points().size() > 1).toList();
        curves = stepped.isEmpty() ? across(all) : stepped;
        AxisScale rates = AxisScale.ofRates(curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(LoadCurve.Point::rate)
                .distinct()
                .sorted()
                .toArray());
        offered = Axis.of("offered, records/s", rates);
    }

    private static List<LoadCurve> across(List<LoadCurve> single) {
        List<LoadCurve.Point> points = single.stream()
                .flatMap(curve -> curve.points().stream())
                .sorted(Comparator.comparingDouble(LoadCurve.Point::rate))
                .toList();
        long rates = points.stream().map(LoadCurve.Point::rate).distinct().count();
        return rates < 3 || rates < points.size()
                ? List.of()
                : List.of(new LoadCurve("each variant", points, List.of()));
    }

    static List<Block> page(RunView run) {
        LoadCurveSection section = new LoadCurveSection(run);
        if (section.curves.isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>(List.of(
                Block.note("Filled dot: a sustained step; ring: degraded or untested; cross: broken."
                        + (run.repeats()
                                ? " Lines join the medians of the trials; small dots are single trials."
                                : "")),
                Block.charts(List.of(section.latency(), section.achieved())),
                section.table()));
        blocks.addAll(eachStep(run));
        return blocks;
    }

    private boolean alone() {
        return curves.size() == 1;
    }

    private Chart latency() {
        Chart chart = chart("Response against offered rate", Axis.log("response, ms"));
        for (int c = 0; c < curves.size(); c++) {
            LoadCurve curve = curves.get(c);
            for (Line line : LINES) {
                String look = alone() ? line.look() : Chart.color(c);
                draw(
                        chart,
                        curve,
                        point -> line.of(point.response()),
                        alone() ? line.name() : "",
                        look + " " + line.dash());
                if (line.percentile() == 99) {
                    points(
                            chart,
                            curve,
                            point -> line.of(point.response()),
                            step -> line.of(step.figures().response()),
                            point -> NumberFormat.latency(point.response(), 99),
                            look);
                    atLeast(chart, curve, line, look);
                }
            }
        }
        if (!alone()) {
            LINES.forEach(line -> chart.key(line.name(), "plain " + line.dash()));
        }
        return chart;
    }

    private Chart achieved() {
        Chart chart = chart("Achieved against offered rate", Axis.of("achieved, records/s", offered.scale()))
                .diagonal();
        for (int c = 0; c < curves.size(); c++) {
            LoadCurve curve = curves.get(c);
            String look = alone() ? "c1" : Chart.color(c);
            draw(chart, curve, LoadCurve.Point::achievedPerSecond, "", look + " solid");
            points(
                    chart,
                    curve,
                    LoadCurve.Point::achievedPerSecond,
                    step -> Known.orNaN(LoadCurve.achievedPerSecond(step)),
                    point -> NumberFormat.rate(point.achievedPerSecond()),
                    look);
        }
        return chart;
    }

    private Chart chart(String title, Axis y) {
        Chart chart = new Chart(title, offered, y).height(340).describedBy(STEPS);
        for (int c = 0; c < curves.size() && !alone(); c++) {
            chart.key(curves.get(c).variant(), Chart.color(c) + " solid");
        }
        for (LoadCurve curve : curves) {
            LoadCurve.@Nullable Point knee = curve.knee();
            if (knee != null && curve.beyond() != null) {
                chart.mark(knee.rate(), alone() ? "sustained to " + NumberFormat.rate(knee.rate()) : curve.variant());
            }
        }
        return chart;
    }

    private static void draw(
            Chart chart, LoadCurve curve, ToDoubleFunction<LoadCurve.Point> figure, String name, String look) {
        List<LoadCurve.Point> rising = curve.rising();
        chart.line(
                name,
                look,
                rising.stream().mapToDouble(LoadCurve.Point::rate).toArray(),
                rising.stream().mapToDouble(figure).toArray());
    }

    private static void atLeast(Chart chart, LoadCurve curve, Line line, String look) {
        for (LoadCurve.Point point : curve.points()) {
            if (point.response().isBound(line.percentile())) {
                String text = line.name() + " " + NumberFormat.latency(point.response(), line.percentile());
                chart.atLeast(point.rate(), line.of(point.response()), look, text)
                        .note(ComparisonSection.AT_LEAST);
            }
        }
    }

    private void points(
            Chart chart,
            LoadCurve curve,
            ToDoubleFunction<LoadCurve.Point> figure,
            ToDoubleFunction<StepResult> ofTrial,
            Function<LoadCurve.Point, String> written,
            String look) {
        List<TrialView> own = run.of(curve.variant());
        for (TrialView trial : own.size() < 2 ? List.<TrialView>of() : own) {
            for (StepResult step : trial.result().steps()) {
                if (step.rate() != null) {
                    double value = ofTrial.applyAsDouble(step);
                    chart.dot(step.rate(), value, look + " small", trial.label() + ": " + NumberFormat.number(value));
                }
            }
        }
        for (LoadCurve.Point point : curve.points()) {
            double value = figure.applyAsDouble(point);
            String text = curve.variant() + ", " + point.label() + ": " + written.apply(point) + " ("
                    + point.state().word() + ")";
            switch (point.state()) {
                case SUSTAINED -> chart.dot(point.rate(), value, look, text);
                case DEGRADED, UNTESTED, UNFINISHED -> chart.dot(point.rate(), value, look + " ring", text);
                case BROKEN -> chart.cross(point.rate(), value, look, text);
            }
        }
    }

    private record Row(LoadCurve curve, int number, LoadCurve.Point point) {}

    private Table table() {
        List<Row> rows = new ArrayList<>();
        for (LoadCurve curve : curves) {
            curve.points()
                    .forEach(point -> rows.add(new Row(curve, curve.points().indexOf(point) + 1, point)));
        }
        return Table.of(1, rows)
                .column(
                        "step",
                        row -> alone() ? String.valueOf(row.number) : row.curve.variant() + ", step " + row.number)
                .column("offered", row -> NumberFormat.rate(row.point.rate()))
                .column("achieved", row -> NumberFormat.rate(row.point.achievedPerSecond()))
                .column("", row -> row.point.achievement())
                .latencies("response ", row -> row.point.response(), 50, 99, 99.9, 100)
                .column("failed", row -> NumberFormat.count(row.point.failed()))
                .column(
                        "",
                        row -> row.point.outcome(),
                        row -> "state " + row.point.state().word())
                .column("why", row -> row.point.why(), row -> "text")
                .as(
                        STEPS,
                        run.repeats()
                                ? "Steps: response is the median over the trials, failures are from the worst trial"
                                : "Steps");
    }

    private record Step(TrialView trial, StepResult step) {
        String verdict(Function<StepVerdict, String> of, String otherwise) {
            StepVerdict verdict = step.verdict();
            return verdict == null ? otherwise : of.apply(verdict);
        }
    }

    private static List<Block> eachStep(RunView run) {
        List<Step> steps = run.trials().stream()
                .filter(trial -> trial.result().steps().size() > 1)
                .flatMap(trial -> trial.result().steps().stream().map(step -> new Step(trial, step)))
                .toList();
        if (steps.isEmpty()) {
            return List.of();
        }
        Table.Columns<Step> table = Table.of(1, steps)
                .column("trial", one -> one.trial.label() + ", " + NumberFormat.step(one.step.label()))
                .column("offered", one -> NumberFormat.rate(one.step.rate()))
                .column("achieved", one -> NumberFormat.rate(LoadCurve.achievedPerSecond(one.step)));
        for (LatencyKind kind : List.of(LatencyKind.SERVICE, LatencyKind.RESPONSE, LatencyKind.E2E)) {
            table.latencies(kind.word() + " ", one -> one.step.figures().latency(kind), 50, 99, 99.9, 99.99);
        }
        table.column("failed", one -> NumberFormat.count(one.step.figures().count(Count.FAILED)))
                .column("lost", one -> NumberFormat.count(one.step.figures().count(Count.LOST)))
                .column(
                        "lag at its end",
                        one -> NumberFormat.count(one.step.figures().lag().end()))
                .column("drained after", one -> drained(List.of(one.step)))
                .column(
                        "",
                        one -> one.verdict(StepVerdict::text, NumberFormat.MISSING),
                        one -> one.verdict(verdict -> "state " + verdict.state().word(), ""))
                .column("why", one -> one.verdict(StepVerdict::why, ""), one -> "text");
        return List.of(Block.more(
                "Each step of each trial",
                table.as("t-each-step", "Each step of each trial, judged by its own trial only")));
    }

    static List<Block> trials(RunView run) {
        if (!run.repeats()) {
            return List.of();
        }
        // A row for each trial, and a row for all trials of a variant.
        List<List<TrialView>> rows = new ArrayList<>();
        for (String variant : run.variants()) {
            List<TrialView> trials = run.of(variant);
            trials.forEach(trial -> rows.add(List.of(trial)));
            if (trials.size() > 1) {
                rows.add(trials);
            }
        }
        Table.Columns<List<TrialView>> table = Table.of(1, rows)
                .column("trial", LoadCurveSection::label, LoadCurveSection::muted)
                .column("at", LoadCurveSection::rate);
        for (LatencyKind kind :
                run.read() ? List.of(LatencyKind.RESPONSE, LatencyKind.E2E) : List.of(LatencyKind.RESPONSE)) {
            for (double percentile : TAIL) {
                table.column(
                        kind.word() + " " + Table.percentile(percentile),
                        trials -> tail(trials, kind, percentile),
                        LoadCurveSection::muted);
            }
        }
        return List.of(
                Block.note("For a load in steps, the table has the figures of the slowest rising step, which is the"
                        + " easiest to sustain."),
                table.as("t-trials", "Every trial, and the spread of each variant"));
    }

    private static String label(List<TrialView> trials) {
        TrialView first = trials.get(0);
        return trials.size() == 1 ? first.label() : first.result().variant() + ", spread";
    }

    private static String rate(List<TrialView> trials) {
        StepResult step = trials.get(0).result().slowestRising();
        return trials.size() > 1 ? "" : NumberFormat.rate(step == null ? null : step.rate());
    }

    private static String muted(List<TrialView> trials) {
        return trials.size() == 1 ? "" : "muted";
    }

    private static String tail(List<TrialView> trials, LatencyKind kind, double percentile) {
        List<LatencyResult> all =
                trials.stream().map(trial -> slowest(trial).latency(kind)).toList();
        List<LatencyResult> known = all.stream()
                .filter(one -> one.at(percentile) != null)
                .sorted(Comparator.comparing(one -> Objects.requireNonNull(one.at(percentile))))
                .toList();
        return all.size() == 1
                ? NumberFormat.latency(all.get(0), percentile)
                : known.size() < 2 ? NumberFormat.MISSING : spread(known, percentile);
    }

    private static Figures slowest(TrialView trial) {
        StepResult step = trial.result().slowestRising();
        return step == null ? trial.result().figures() : step.figures();
    }

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

    /** Returns the longest time until all due messages of a step had come; if some never came, their counts. */
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
