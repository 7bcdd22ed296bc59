package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Median;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.RequestedExperiment;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** A grid of one number: what was carried, and how fast, against the number that was changed. */
final class GridChart {
    private static final int WIDTH = 530;
    private static final int HEIGHT = 300;

    private GridChart() {}

    /** A variant and its place on the axis. */
    private record Place(String variant, double value) {}

    /** The charts, nothing at all when the variants are no such grid. */
    public static Html html(RunView run) {
        List<String> keys = run.asked().variants().stream()
                .flatMap(variant -> variant.gridPoint().keySet().stream())
                .distinct()
                .toList();
        List<Place> places = keys.size() == 1 ? places(run, keys.get(0)) : List.of();
        if (places.size() < 3 || run.stepped()) {
            return new Html();
        }
        String key = keys.get(0);
        Html html = new Html().open("div", "class", "charts");
        html.add(chart(run, places, key, "Carried", "records/s", "carried", GridChart::carried));
        html.add(chart(
                run,
                places,
                key,
                "Response p99",
                "ms",
                "slow",
                trial -> trial.figures().response().p99()));
        return html.close();
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

    private static @Nullable Double carried(TrialResult trial) {
        Double acked = trial.figures().ackedPerSecond();
        return acked == null ? trial.figures().receivedPerSecond() : acked;
    }

    private static Html chart(
            RunView run,
            List<Place> places,
            String key,
            String title,
            String unit,
            String id,
            Function<TrialResult, @Nullable Double> figure) {
        double highest = places.stream()
                .flatMap(place -> values(run, place, figure))
                .mapToDouble(value -> value)
                .max()
                .orElse(0);
        double low = places.get(0).value();
        double high = places.get(places.size() - 1).value();
        AxisScale x = low > 0 && high > 20 * low
                ? new AxisScale.Log(low, high)
                : new AxisScale.Linear(Math.min(0, low), high * 1.05);
        Plot plot =
                new Plot(title + " against " + key, x, AxisScale.fromZero(highest), WIDTH, HEIGHT, 24).axes(key, unit);
        Table table = new Table(1, key, "median, " + unit, "trials");
        double[] xs = places.stream().mapToDouble(Place::value).toArray();
        double[] ys = new double[xs.length];
        for (int i = 0; i < ys.length; i++) {
            double[] sorted = values(run, places.get(i), figure)
                    .mapToDouble(value -> value)
                    .sorted()
                    .toArray();
            ys[i] = Median.of(sorted);
            for (double value : sorted) {
                plot.dot(
                        xs[i],
                        value,
                        "c1" + (sorted.length > 1 ? " small" : ""),
                        places.get(i).variant());
            }
            table.row(NumberFormat.number(xs[i]), NumberFormat.number(ys[i]), String.valueOf(sorted.length));
        }
        plot.line(xs, ys, "c1 solid", "");
        return Chart.framed(
                title + " against " + key,
                "",
                List.of(),
                plot.svg("t-axis-" + id),
                table.twin("t-axis-" + id, title),
                false);
    }

    private static Stream<Double> values(RunView run, Place place, Function<TrialResult, @Nullable Double> figure) {
        List<Double> values = new ArrayList<>();
        for (TrialView trial : run.of(place.variant())) {
            Double value = figure.apply(trial.result());
            if (value != null) {
                values.add(value);
            }
        }
        return values.stream();
    }
}
