package weir.report.trend;

import java.util.ArrayList;
import java.util.List;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.history.RunTrend;
import weir.results.history.RunTrend.Change;
import weir.results.history.RunTrend.Point;
import weir.results.history.RunTrend.Series;
import weir.results.value.NumberFormat;

/** A series as a chart: a dot for each run, a line for each level, a mark at each change; its table has the levels. */
final class TrendChart {
    private static final int WIDTH = 940;
    private static final int HEIGHT = 250;
    /** The most runs that are dots; more would hide each other, and are a line. */
    private static final int MOST_DOTS = 250;
    /** The share of runs at either end that may lie beyond the scale. */
    private static final double RARE = 0.025;
    /** The letters of a day in ISO-8601. */
    private static final int DAY = 10;

    private final RunTrend trend;
    private final TrendText text;
    private final Series series;
    private final List<Point> points;

    TrendChart(RunTrend trend, Series series) {
        this.trend = trend;
        this.text = new TrendText(trend);
        this.series = series;
        this.points = series.points();
    }

    /** A stretch of runs at one level, by their places among the points. */
    private record Level(int from, int to, double figure) {}

    private List<Level> levels() {
        List<Level> levels = new ArrayList<>();
        int from = 0;
        for (Change change : series.changes()) {
            int at = place(change.at());
            levels.add(new Level(from, at, change.from()));
            from = at;
        }
        levels.add(new Level(from, points.size(), series.level()));
        return levels;
    }

    private int place(int run) {
        int place = 0;
        while (points.get(place).at() < run) {
            place++;
        }
        return place;
    }

    Html html(int number) {
        String id = "t-levels-" + number;
        AxisScale scale = scale();
        Plot plot = new Plot(
                        series.name(), new AxisScale.Linear(0.5, trend.runs().size() + 0.5), scale, WIDTH, HEIGHT, 24)
                .axes("run, " + days(), unit());
        boolean dots = points.size() <= MOST_DOTS;
        if (!dots) {
            plot.line(
                    points.stream().mapToDouble(TrendChart::x).toArray(),
                    points.stream().mapToDouble(Point::figure).toArray(),
                    "bound plain",
                    "");
        }
        Table table = new Table(
                2,
                "first run",
                "last run",
                "runs",
                "level",
                "change of level",
                "interval of the change",
                "found after");
        List<Level> levels = levels();
        for (int i = 0; i < levels.size(); i++) {
            Level level = levels.get(i);
            Point first = points.get(level.from());
            Point last = points.get(level.to() - 1);
            String figure = NumberFormat.figure(series.metric(), level.figure());
            plot.level(x(first) - 0.5, x(last) + 0.5, level.figure(), "c2", figure + " since " + text.run(first.at()));
            table.row(row(level, i == 0 ? List.of() : List.of(series.changes().get(i - 1)), figure));
        }
        points.stream()
                .filter(point -> dots || point.figure() < scale.low() || point.figure() > scale.high())
                .forEach(point -> plot.dot(x(point), point.figure(), "c1", told(point)));
        for (Change change : series.changes()) {
            plot.mark(change.at() + 0.5, NumberFormat.gain(change.ratio()) + " " + change.verdict());
        }
        return Chart.framed(
                series.name(),
                note(),
                List.of(),
                plot.svg(id),
                table.twin(id, series.name() + ", level by level"),
                true);
    }

    /** Holds every level; a few bad days lie beyond it, and do not flatten the rest. */
    private AxisScale scale() {
        double[] sorted = points.stream().mapToDouble(Point::figure).sorted().toArray();
        int rare = (int) (sorted.length * RARE);
        double low = levels().stream().mapToDouble(Level::figure).reduce(sorted[rare], Math::min);
        double high = levels().stream().mapToDouble(Level::figure).reduce(sorted[sorted.length - 1 - rare], Math::max);
        double room = Math.max((high - low) / 2, high * 0.01);
        return new AxisScale.Linear(
                Math.max(0, Math.max(low - room, Math.min(low, sorted[0]) - room / 4)),
                Math.min(high + room, Math.max(high, sorted[sorted.length - 1]) + room / 4));
    }

    private String days() {
        return "from " + day(points.get(0)) + " to " + day(points.get(points.size() - 1));
    }

    private String day(Point point) {
        String started = trend.runs().get(point.at()).startedAt();
        return started.length() < DAY ? text.run(point.at()) : started.substring(0, DAY);
    }

    private List<String> row(Level level, List<Change> changed, String figure) {
        List<String> row = new ArrayList<>(List.of(
                text.run(points.get(level.from()).at()),
                text.run(points.get(level.to() - 1).at()),
                String.valueOf(level.to() - level.from()),
                figure));
        if (changed.isEmpty()) {
            row.addAll(List.of(NumberFormat.MISSING, NumberFormat.MISSING, NumberFormat.MISSING));
        } else {
            Change change = changed.get(0);
            row.addAll(List.of(NumberFormat.gain(change.ratio()), text.interval(change), change.runs() + " runs"));
        }
        return row;
    }

    /** The unit that the figures of the axis are in. */
    private String unit() {
        String figure = NumberFormat.figure(series.metric(), 1.0);
        return figure.replaceFirst("^[0-9.,]+\\s*", "");
    }

    private String note() {
        String better = series.moreIsBetter() ? "More is better." : "Less is better.";
        if (series.missing() == 0 && series.visible() == null) {
            return better + " Too few runs since the last change to tell what would be found.";
        }
        return series.missing() > 0
                ? better + " Too few runs to tell a change: " + points.size() + " so far, " + series.missing()
                        + " more are needed."
                : better + " A change of " + TrendText.detectable(series)
                        + " would be found within five runs, four times of five.";
    }

    private String told(Point point) {
        String range = point.low() == point.high()
                ? ""
                : ", trials from " + NumberFormat.figure(series.metric(), point.low()) + " to "
                        + NumberFormat.figure(series.metric(), point.high());
        return text.run(point.at()) + ": " + NumberFormat.figure(series.metric(), point.figure()) + range;
    }

    private static double x(Point point) {
        return point.at() + 1.0;
    }
}
