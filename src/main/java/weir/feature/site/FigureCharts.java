package weir.feature.site;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import weir.feature.site.KeyGroup.FoundChange;
import weir.feature.site.PublishedResult.KeyedVariant;
import weir.feature.trend.RunTrend;
import weir.judge.Comparisons;
import weir.measure.Welch;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Chart;
import weir.results.RunFolder;
import weir.results.value.NumberFormat;

/** The charts of one figure of a group. All values of a group have the same key, so they may share an axis. */
final class FigureCharts {
    private static final int LONGEST = 24;
    private static final int LONGEST_MARK = 64;

    /** The ratio of the highest to the lowest value from which the scale is logarithmic. */
    private static final double WIDE = 20;

    private static final double DAY = 86_400;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,12}");

    /** Compares numbers inside of texts by their value: 4.9.0 before 4.10.0. */
    private static final Comparator<String> BY_NUMBERS = Comparator.comparing((String text) -> NUMBER.matcher(text)
                    .replaceAll(number -> "0".repeat(12 - number.group().length()) + number.group()))
            .thenComparing(Comparator.naturalOrder());

    private final KeyGroup group;
    private final String metric;
    private final List<KeyedVariant> drawn;
    private final List<String> series;
    private final AxisScale scale;

    private FigureCharts(KeyGroup group, String metric) {
        this.group = group;
        this.metric = metric;
        drawn = group.variants().stream()
                .filter(variant -> variant.drawn() && variant.figures().containsKey(metric))
                .toList();
        series = drawn.stream().map(KeyedVariant::series).distinct().toList();
        scale = scale(drawn.stream().mapToDouble(this::figure).sorted().toArray());
    }

    /** Returns the charts of all figures, the primary figures of the variants first. */
    static List<FigureCharts> of(KeyGroup group) {
        return group.variants().stream()
                .filter(KeyedVariant::drawn)
                .flatMap(variant -> variant.figures().keySet().stream())
                .distinct()
                .map(metric -> new FigureCharts(group, metric))
                .toList();
    }

    String metric() {
        return metric;
    }

    private double figure(KeyedVariant variant) {
        return variant.figures().getOrDefault(metric, Double.NaN);
    }

    private String written(double figure) {
        return NumberFormat.figure(metric, figure);
    }

    private static AxisScale scale(double[] sorted) {
        double low = sorted[0];
        double high = sorted[sorted.length - 1];
        if (high > WIDE * low) {
            return AxisScale.spanning(low, high);
        }
        double room = Math.max((high - low) * 0.2, high * 0.02);
        return new AxisScale.Linear(Math.max(0, low - room), high + room);
    }

    private Chart chart(String by, Axis x) {
        Chart chart = new Chart(metric + " by " + by, x, Axis.of(NumberFormat.unit(metric), scale));
        series.forEach(name -> chart.key(name, look(name)));
        return chart;
    }

    private String look(String name) {
        return Chart.color(series.indexOf(name));
    }

    /** Returns the charts by the name of their horizontal axis: dates, releases, and each setting that differs. */
    Map<String, Chart> charts() {
        Map<String, Chart> charts = new LinkedHashMap<>();
        charts.put("date", byDate());
        put(charts, "Kafka release", KeyedVariant::kafka);
        for (String path : group.differing()) {
            put(charts, path, variant -> variant.settings().getOrDefault(path, NumberFormat.MISSING));
        }
        return charts;
    }

    Chart byDate() {
        double first = day(drawn.get(0).run());
        double last = day(drawn.get(drawn.size() - 1).run());
        Chart chart = chart("date", Axis.of("date in UTC", dates(first, last)))
                .wide()
                .note((Comparisons.moreIsBetter(metric) ? "More" : "Less")
                        + " is better. A ring is the figure of a suspect result. A thick line is the level between"
                        + " two changes.");
        drawn.forEach(variant -> chart.dot(
                day(variant.run()),
                figure(variant),
                look(variant.series()) + (variant.suspect() ? " ring" : ""),
                variant.run() + ", " + variant.name() + ": " + written(figure(variant))));
        group.trends()
                .forEach(trend -> trend.series().stream()
                        .filter(one -> one.metric().equals(metric))
                        .forEach(one -> levels(chart, trend, one)));
        for (FoundChange change : group.changes()) {
            if (change.found().series().metric().equals(metric)) {
                chart.mark(day(change.run()), label(change));
            }
        }
        return chart;
    }

    private void levels(Chart chart, RunTrend trend, RunTrend.Series one) {
        String look = look(trend.name() + " " + one.variant());
        one.levels()
                .forEach(level -> chart.level(
                        day(trend, level.first().at()),
                        day(trend, level.last().at()),
                        level.figure(),
                        look,
                        written(level.figure())));
    }

    private static String label(FoundChange change) {
        RunTrend.Change found = change.found().change();
        return NumberFormat.cut(
                NumberFormat.gain(found.ratio()) + " " + found.verdict() + ", " + change.cause(), LONGEST_MARK);
    }

    private static double day(RunTrend trend, int at) {
        return day(trend.runs().get(at).run());
    }

    private static double day(String run) {
        return RunFolder.time(run).getEpochSecond() / DAY;
    }

    private static AxisScale dates(double first, double last) {
        double room = Math.max(0.5, (last - first) * 0.03);
        double step = Math.max(1, Math.ceil((last - first) / 8));
        return new AxisScale.Named(
                first - room,
                last + room,
                DoubleStream.iterate(Math.ceil(first - room), day -> day <= last + room, day -> day + step)
                        .mapToObj(day -> new AxisScale.Tick(
                                day, LocalDate.ofEpochDay((long) day).toString()))
                        .toList());
    }

    /** Adds a chart with a column for each value. A dot is the mean of all results of a series with this value. */
    private void put(Map<String, Chart> charts, String by, Function<KeyedVariant, String> value) {
        SortedMap<String, List<KeyedVariant>> columns = new TreeMap<>(BY_NUMBERS);
        drawn.forEach(variant -> columns.computeIfAbsent(value.apply(variant), none -> new ArrayList<>())
                .add(variant));
        if (columns.size() < 2) {
            return;
        }
        List<String> names = columns.keySet().stream()
                .map(name -> NumberFormat.cut(name, LONGEST))
                .toList();
        Chart chart = chart(by, Axis.of(by, AxisScale.Named.columns(names)))
                .height(280)
                .note("A dot is the geometric mean of all results with this value, and a line is their range. Other"
                        + " settings can differ, too.");
        int column = 0;
        for (Map.Entry<String, List<KeyedVariant>> entry : columns.entrySet()) {
            for (String name : series) {
                double[] figures = entry.getValue().stream()
                        .filter(variant -> variant.series().equals(name))
                        .mapToDouble(this::figure)
                        .sorted()
                        .toArray();
                if (figures.length > 0) {
                    double x = column + (series.indexOf(name) + 1.0) / (series.size() + 1);
                    double mean = Welch.geometricMean(figures);
                    chart.line("", look(name), new double[] {x, x}, figures[0], figures[figures.length - 1])
                            .dot(
                                    x,
                                    mean,
                                    look(name),
                                    name + ", " + by + " " + entry.getKey() + ": " + written(mean) + ", results: "
                                            + figures.length);
                }
            }
            column++;
        }
        charts.put(by, chart);
    }
}
