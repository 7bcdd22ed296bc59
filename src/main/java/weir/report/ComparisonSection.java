package weir.report;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.Median;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.ChartColors;
import weir.report.chart.ForestPlot;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.ComparisonResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The variants against each other: every trial a dot, and each ratio with its interval. */
final class ComparisonSection {
    /** Said where a chart has such marks. */
    static final String AT_LEAST =
            "A stroke with an arrowhead is \u201cat least\u201d: records that never ended reach this figure.";

    private ComparisonSection() {}

    static Html html(RunView run) {
        Html html = new Html();
        html.add(GridChart.html(run));
        html.element(
                "p",
                "Every trial is a dot" + (run.repeats() ? ", the bar is the median of its variant." : "."),
                "class",
                "note");
        html.open("div", "class", "charts");
        if (run.stepped()) {
            double rate = common(run);
            html.add(dots(
                    run,
                    "p99",
                    "Response p99 at " + NumberFormat.rate(rate),
                    "ms",
                    false,
                    trial -> trial.steps().stream()
                            .filter(step -> step.rate() != null && step.rate() == rate)
                            .findFirst()
                            .map(step -> Point.of(step.figures().response()))
                            .orElse(null)));
            html.add(dots(run, "most", "Most achieved in any step", "records/s", true, trial -> Point.of(most(trial))));
        } else {
            html.add(dots(
                    run,
                    "acked",
                    "Acked",
                    "records/s",
                    true,
                    trial -> Point.of(trial.figures().ackedPerSecond())));
            html.add(dots(
                    run,
                    "received",
                    "Received",
                    "records/s",
                    true,
                    trial -> Point.of(trial.figures().receivedPerSecond())));
            html.add(dots(
                    run,
                    "p99",
                    "Response p99",
                    "ms",
                    false,
                    trial -> Point.of(trial.figures().response())));
            html.add(dots(
                    run,
                    "e2e",
                    "End to end p99",
                    "ms",
                    false,
                    trial -> Point.of(trial.figures().e2e())));
        }
        html.close();
        if (!run.comparisons().isEmpty()) {
            List<String> variants = run.variants();
            html.add(ForestPlot.html(run.comparisons(), variants));
        }
        return html;
    }

    /** The fastest rate that every variant sustained, or else the slowest that was offered. */
    private static double common(RunView run) {
        double common = Double.MAX_VALUE;
        double slowest = Double.MAX_VALUE;
        for (String variant : run.variants()) {
            LoadCurve curve = run.curve(variant);
            LoadCurve.@Nullable Point knee = curve.knee();
            common = Math.min(common, knee == null ? -1 : knee.rate());
            slowest = curve.points().stream().mapToDouble(LoadCurve.Point::rate).reduce(slowest, Math::min);
        }
        return common > 0 ? common : slowest;
    }

    private static @Nullable Double most(TrialResult trial) {
        return trial.steps().stream()
                .map(LoadCurve::achievedPerSecond)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** A figure of a trial. */
    private record Point(double value, boolean atLeast, String written) {
        static @Nullable Point of(@Nullable Double perSecond) {
            return perSecond == null ? null : new Point(perSecond, false, NumberFormat.rate(perSecond));
        }

        static @Nullable Point of(LatencyResult latency) {
            Double p99 = latency.p99();
            return p99 == null ? null : new Point(p99, latency.isBound(99), NumberFormat.latency(latency, 99));
        }
    }

    private static Html dots(
            RunView run,
            String id,
            String title,
            String unit,
            boolean fromZero,
            Function<TrialResult, @Nullable Point> figure) {
        Map<TrialResult, Point> points = new LinkedHashMap<>();
        for (TrialResult trial : run.results()) {
            Point point = figure.apply(trial);
            if (point != null) {
                points.put(trial, point);
            }
        }
        if (points.isEmpty()) {
            return new Html();
        }
        List<String> variants = run.variants();
        Table table = new Table(1, "variant", "trial", "repeat", title);
        points.forEach((trial, point) -> table.row(
                trial.variant(), String.valueOf(trial.trial()), String.valueOf(trial.repeat()), point.written()));
        double[] values = points.values().stream().mapToDouble(Point::value).toArray();
        double highest = Arrays.stream(values).max().orElse(1);
        AxisScale x = fromZero
                ? AxisScale.fromZero(highest)
                : AxisScale.around(Arrays.stream(values).min().orElse(1), highest);
        Html drawing = Chart.drawn(width -> plot(title, x, unit, variants, points, width), Plot.Width.HALF, "t-" + id);
        boolean bounds = points.values().stream().anyMatch(Point::atLeast);
        return Chart.framed(
                title, bounds ? AT_LEAST : "", List.of(), drawing, table.twin("t-" + id, title + ", " + unit), false);
    }

    private static Plot plot(
            String title,
            AxisScale x,
            String unit,
            List<String> variants,
            Map<TrialResult, Point> points,
            Plot.Width width) {
        Plot plot = Plot.rows(title, x, unit, variants, width);
        points.forEach((trial, point) -> {
            int row = variants.indexOf(trial.variant());
            double middle = variants.size() - row - 0.5;
            String text = trial.variant() + " " + trial.repeat() + ": " + point.written();
            if (point.atLeast()) {
                plot.atLeast(point.value(), middle, false, ChartColors.of(row), text);
            }
            plot.dot(point.value(), middle, ChartColors.of(row), text);
        });
        for (int row = 0; row < variants.size(); row++) {
            String variant = variants.get(row);
            double[] sorted = points.entrySet().stream()
                    .filter(point -> point.getKey().variant().equals(variant))
                    .mapToDouble(point -> point.getValue().value())
                    .sorted()
                    .toArray();
            if (sorted.length > 1) {
                double median = Median.of(sorted);
                double middle = variants.size() - row - 0.5;
                plot.line(
                        new double[] {median, median},
                        new double[] {middle - 0.3, middle + 0.3},
                        ChartColors.of(row),
                        "");
            }
        }
        return plot;
    }

    /** The first sentences; where overheads say the same in more detail, none. */
    static void lines(RunView run, TextLines lines) {
        if (run.overheads().isEmpty()) {
            lines.first(
                    TextReport.MOST_RATIOS,
                    "  ",
                    "comparison",
                    run.comparisons().stream().map(ComparisonResult::sentence).toList());
        }
    }
}
