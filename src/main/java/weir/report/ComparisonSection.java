package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.judge.answer.ComparisonSentence;
import weir.measure.Known;
import weir.measure.Median;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.ForestPlot;
import weir.report.block.Table;
import weir.results.RequestedExperiment;
import weir.results.value.ComparisonResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The section that compares variants: a dot per trial, ratios with intervals, and charts for a numeric grid axis. */
final class ComparisonSection {
    static final String AT_LEAST =
            "A line with an arrowhead is a lower bound, because the figure includes unfinished records.";

    private static final int MOST = 3;

    private ComparisonSection() {}

    static List<Block> page(RunView run) {
        if (run.variants().size() < 2) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>(grid(run));
        blocks.add(
                Block.note("Each dot is a trial" + (run.repeats() ? ", the bar is the median of the variant." : ".")));
        List<Block> charts = new ArrayList<>();
        if (run.stepped()) {
            double rate = common(run);
            charts.addAll(dots(
                    run,
                    "p99",
                    "Response p99 at " + NumberFormat.rate(rate),
                    "ms",
                    trial -> trial.steps().stream()
                            .filter(step -> step.rate() != null && step.rate() == rate)
                            .findFirst()
                            .map(step -> Point.of(step.figures().response()))
                            .orElse(null)));
            charts.addAll(dots(
                    run,
                    "most",
                    "Most achieved in any step",
                    "records/s",
                    trial -> Point.of(Known.most(trial.steps(), LoadCurve::achievedPerSecond))));
        } else {
            charts.addAll(rates(run, "acked", "Acked", Figures::ackedPerSecond));
            charts.addAll(rates(run, "received", "Received", Figures::receivedPerSecond));
            charts.addAll(latencies(run, "p99", "Response p99", Figures::response));
            charts.addAll(latencies(run, "e2e", "End to end p99", Figures::e2e));
        }
        blocks.add(Block.charts(charts));
        blocks.addAll(ForestPlot.of(run.result().comparisons(), run.variants()));
        return blocks;
    }

    static List<Block> brief(RunView run) {
        Set<ComparisonResult> ordered = new LinkedHashSet<>(ComparisonSentence.primary(
                run.result().comparisons(), run.result().expect()));
        ordered.addAll(run.result().comparisons());
        return !run.result().overheads().isEmpty()
                ? List.of()
                : List.of(Block.first(
                        ordered.stream().map(ComparisonResult::sentence).toList(), MOST, "comparison"));
    }

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

    private record Point(double value, boolean atLeast, String written) {
        static @Nullable Point of(@Nullable Double perSecond) {
            return perSecond == null ? null : new Point(perSecond, false, NumberFormat.rate(perSecond));
        }

        static @Nullable Point of(LatencyResult latency) {
            Double p99 = latency.p99();
            return p99 == null ? null : new Point(p99, latency.isBound(99), NumberFormat.latency(latency, 99));
        }
    }

    private static List<Block> rates(RunView run, String id, String title, Function<Figures, @Nullable Double> rate) {
        return dots(run, id, title, "records/s", trial -> Point.of(rate.apply(trial.figures())));
    }

    private static List<Block> latencies(
            RunView run, String id, String title, Function<Figures, LatencyResult> latency) {
        return dots(run, id, title, "ms", trial -> Point.of(latency.apply(trial.figures())));
    }

    private static List<Block> dots(
            RunView run, String id, String title, String unit, Function<TrialResult, @Nullable Point> figure) {
        Map<TrialResult, Point> points = new LinkedHashMap<>();
        for (TrialResult trial : run.results()) {
            Point point = figure.apply(trial);
            if (point != null) {
                points.put(trial, point);
            }
        }
        if (points.isEmpty()) {
            return List.of();
        }
        List<String> variants = run.variants();
        Chart chart = Chart.ofRows(title, unit.equals("ms") ? Axis.log(unit) : Axis.fromZero(unit), variants)
                .note(points.values().stream().anyMatch(Point::atLeast) ? AT_LEAST : "")
                .table(Table.of(1, points.entrySet())
                        .column("variant", one -> one.getKey().variant())
                        .column("trial", one -> String.valueOf(one.getKey().trial()))
                        .column("repeat", one -> String.valueOf(one.getKey().repeat()))
                        .column(title, one -> one.getValue().written())
                        .as("t-" + id, title + ", " + unit)
                        .folded());
        points.forEach((trial, point) -> {
            int row = variants.indexOf(trial.variant());
            String text = trial.variant() + " " + trial.repeat() + ": " + point.written();
            if (point.atLeast()) {
                chart.atLeast(point.value(), row + 0.5, Chart.color(row), text);
            }
            chart.dot(point.value(), row + 0.5, Chart.color(row), text);
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
                chart.line("", Chart.color(row), new double[] {median, median}, row + 0.2, row + 0.8);
            }
        }
        return List.of(chart);
    }

    private record Place(String variant, double value) {}

    private static List<Block> grid(RunView run) {
        List<String> keys = run.asked().variants().stream()
                .flatMap(variant -> variant.gridPoint().keySet().stream())
                .distinct()
                .toList();
        List<Place> places = keys.size() == 1 ? places(run, keys.get(0)) : List.of();
        if (places.size() < 3 || run.stepped()) {
            return List.of();
        }
        String key = keys.get(0);
        return List.of(Block.charts(List.of(
                gridChart(
                        run,
                        places,
                        key,
                        "Carried",
                        "records/s",
                        "carried",
                        trial -> trial.figures().carriedPerSecond()),
                gridChart(
                        run,
                        places,
                        key,
                        "Response p99",
                        "ms",
                        "slow",
                        trial -> trial.figures().response().p99()))));
    }

    private static List<Place> places(RunView run, String key) {
        List<Place> places = new ArrayList<>();
        for (RequestedExperiment.Variant variant : run.asked().variants()) {
            String value = variant.gridPoint().getOrDefault(key, "");
            if (run.variants().contains(variant.name()) && value.matches("-?\\d{1,15}(\\.\\d{1,9})?")) {
                places.add(new Place(variant.name(), Double.parseDouble(value)));
            }
        }
        places.sort(Comparator.comparingDouble(Place::value));
        return places;
    }

    private static Block gridChart(
            RunView run,
            List<Place> places,
            String key,
            String title,
            String unit,
            String id,
            Function<TrialResult, @Nullable Double> figure) {
        double low = places.get(0).value();
        double high = places.get(places.size() - 1).value();
        AxisScale x = low > 0 && high > 20 * low
                ? new AxisScale.Log(low, high)
                : new AxisScale.Linear(Math.min(0, low), high * 1.05);
        Chart chart = new Chart(title + " against " + key, Axis.of(key, x), Axis.fromZero(unit));
        Table table = new Table(1, key, "median, " + unit, "trials");
        double[] xs = places.stream().mapToDouble(Place::value).toArray();
        double[] ys = new double[xs.length];
        for (int i = 0; i < ys.length; i++) {
            double[] sorted = run.of(places.get(i).variant()).stream()
                    .flatMap(trial -> Stream.ofNullable(figure.apply(trial.result())))
                    .mapToDouble(value -> value)
                    .sorted()
                    .toArray();
            ys[i] = Median.of(sorted);
            for (double value : sorted) {
                String look = "c1" + (sorted.length > 1 ? " small" : "");
                chart.dot(xs[i], value, look, places.get(i).variant());
            }
            table.row(NumberFormat.number(xs[i]), NumberFormat.number(ys[i]), String.valueOf(sorted.length));
        }
        return chart.line("", "c1 solid", xs, ys)
                .table(table.as("t-axis-" + id, title).folded());
    }
}
