package weir.feature.trend;

import java.util.List;
import java.util.function.Function;
import weir.feature.trend.RunTrend.Change;
import weir.feature.trend.RunTrend.Level;
import weir.feature.trend.RunTrend.Point;
import weir.feature.trend.RunTrend.Series;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** A chart of a series: a dot for each run, a line for each level, a mark at each change. Its table has the levels. */
record TrendChart(RunTrend trend, TrendReport text, Series series) {
    private static final int MOST_DOTS = 250;
    private static final double RARE = 0.025;

    private static final int DAY = 10;

    private static String text(Level level, Function<Change, String> of) {
        return level.change() == null ? NumberFormat.MISSING : of.apply(level.change());
    }

    Block block(int number) {
        String id = "t-levels-" + number;
        List<Point> points = series.points();
        AxisScale scale = scale();
        Chart chart = new Chart(
                        series.name(),
                        Axis.of(
                                "run, from " + day(points.get(0)) + " to " + day(points.get(points.size() - 1)),
                                new AxisScale.Linear(0.5, trend.runs().size() + 0.5)),
                        Axis.of(NumberFormat.unit(series.metric()), scale))
                .wide()
                .height(250)
                .note(note());
        boolean dots = points.size() <= MOST_DOTS;
        if (!dots) {
            chart.line(
                    "",
                    "bound plain",
                    points.stream().mapToDouble(TrendChart::x).toArray(),
                    points.stream().mapToDouble(Point::figure).toArray());
        }
        List<Level> levels = series.levels();
        for (Level level : levels) {
            chart.level(
                    x(level.first()) - 0.5,
                    x(level.last()) + 0.5,
                    level.figure(),
                    "c2",
                    figure(level.figure()) + " since " + run(level.first()));
        }
        points.stream()
                .filter(point -> dots || point.figure() < scale.low() || point.figure() > scale.high())
                .forEach(point -> chart.dot(x(point), point.figure(), "c1", text(point)));
        for (Change change : series.changes()) {
            chart.mark(change.at() + 0.5, NumberFormat.gain(change.ratio()) + " " + change.verdict());
        }
        return chart.table(Table.of(2, levels)
                .column("first run", level -> run(level.first()))
                .column("last run", level -> run(level.last()))
                .column("runs", level -> String.valueOf(level.runs().size()))
                .column("level", level -> figure(level.figure()))
                .column("change of level", level -> text(level, change -> NumberFormat.gain(change.ratio())))
                .column("interval of the change", level -> text(level, text::interval))
                .column("found after", level -> text(level, change -> change.runs() + " runs"))
                .as(id, series.name() + ", level by level")
                .folded());
    }

    private String run(Point point) {
        return text.run(point.at());
    }

    private String figure(double value) {
        return NumberFormat.figure(series.metric(), value);
    }

    /** The scale, which includes every level. Extreme outliers are beyond it, so that the rest is not flat. */
    private AxisScale scale() {
        double[] sorted =
                series.points().stream().mapToDouble(Point::figure).sorted().toArray();
        int rare = (int) (sorted.length * RARE);
        List<Level> levels = series.levels();
        double low = levels.stream().mapToDouble(Level::figure).reduce(sorted[rare], Math::min);
        double high = levels.stream().mapToDouble(Level::figure).reduce(sorted[sorted.length - 1 - rare], Math::max);
        double room = Math.max((high - low) / 2, high * 0.01);
        return new AxisScale.Linear(
                Math.max(0, Math.max(low - room, Math.min(low, sorted[0]) - room / 4)),
                Math.min(high + room, Math.max(high, sorted[sorted.length - 1]) + room / 4));
    }

    private String day(Point point) {
        String started = trend.runs().get(point.at()).startedAt();
        return started.length() < DAY ? run(point) : started.substring(0, DAY);
    }

    private String note() {
        String better = series.moreIsBetter() ? "More is better." : "Less is better.";
        if (series.missing() == 0 && series.visible() == null) {
            return better + " The detectable change is unknown: too few runs since the last change.";
        }
        return series.missing() > 0
                ? better + " Too few runs to detect a change. Runs found: "
                        + series.points().size() + "; more runs needed: " + series.missing() + "."
                : better + " A change of " + TrendReport.detectable(series)
                        + " is detected within five runs with a probability of 80 %.";
    }

    private String text(Point point) {
        String range = point.low() == point.high()
                ? ""
                : ", trials from " + figure(point.low()) + " to " + figure(point.high());
        return run(point) + ": " + figure(point.figure()) + range;
    }

    private static double x(Point point) {
        return point.at() + 1.0;
    }
}
