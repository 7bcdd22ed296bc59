package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.ChartColors;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/** The outcome of each rate: latency and achieved rate against the offered one, and each step's fate. */
public final class LoadCurveSection {
    private static final int WIDTH = 530;
    private static final int HEIGHT = 340;

    /** Rates that each are about twice the one before want even steps on the axis, not even records. */
    private static final double LADDER = 1.5;

    private static final int RUNGS = 4;

    private final RunView run;
    private final List<LoadCurve> curves;
    private final AxisScale offered;

    /** A percentile and the dash that stands for it. */
    private record Line(String name, String dash, double percentile) {
        double of(LatencyResult response) {
            Double value = response.at(percentile);
            return value == null ? Double.NaN : value;
        }
    }

    private static final List<Line> LINES =
            List.of(new Line("p50", "dotted", 50), new Line("p99", "solid", 99), new Line("p99.9", "dashed", 99.9));

    private LoadCurveSection(RunView run) {
        this.run = run;
        List<LoadCurve> all = run.variants().stream().map(run::curve).toList();
        List<LoadCurve> stepped =
                all.stream().filter(curve -> curve.points().size() > 1).toList();
        curves = stepped.isEmpty() ? across(all) : stepped;
        offered = scale(curves.stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(LoadCurve.Point::rate)
                .distinct()
                .sorted()
                .toArray());
    }

    /** The axis of rates, from the lowest to the highest: by powers for a ladder, else from zero. */
    public static AxisScale scale(double[] rates) {
        boolean ladder = rates.length >= RUNGS && rates[0] > 0;
        for (int i = 1; i < rates.length; i++) {
            ladder &= rates[i] >= LADDER * rates[i - 1];
        }
        double highest = rates.length == 0 ? 1 : rates[rates.length - 1];
        return ladder ? new AxisScale.Log(rates[0] / 1.3, highest * 1.1) : AxisScale.fromZero(highest);
    }

    /** Variants of one rate each are the points of one curve, when there are enough of them. */
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

    static Html html(RunView run) {
        LoadCurveSection section = new LoadCurveSection(run);
        Html html = new Html();
        html.element(
                "p",
                "Filled dot: a step that was sustained; ring: degraded or untested; cross: broken."
                        + (run.repeats() ? " Lines join the medians of the trials; small dots are single trials." : ""),
                "class",
                "note");
        html.open("div", "class", "charts")
                .add(section.latency())
                .add(section.achieved())
                .close();
        return html.add(section.table()).add(StepSection.html(run));
    }

    private boolean alone() {
        return curves.size() == 1;
    }

    /** Alone, a curve's percentiles have colours; together, its variant has. */
    private String look(int curve, int line) {
        return alone() ? List.of("c6", "c1", "c2").get(line) : ChartColors.of(curve);
    }

    private Html latency() {
        double low = Double.MAX_VALUE;
        double high = 0;
        for (LoadCurve curve : curves) {
            for (LoadCurve.Point point : curve.points()) {
                for (Line line : LINES) {
                    double value = line.of(point.response());
                    low = value > 0 ? Math.min(low, value) : low;
                    high = value > 0 ? Math.max(high, value) : high;
                }
            }
        }
        Plot plot = new Plot(
                "Response percentiles against the offered rate",
                offered,
                AxisScale.around(low, high),
                WIDTH,
                HEIGHT,
                alone() ? 52 : 16);
        plot.axes("offered, records/s", "response, ms");
        knees(plot);
        for (int c = 0; c < curves.size(); c++) {
            LoadCurve curve = curves.get(c);
            for (int l = 0; l < LINES.size(); l++) {
                Line line = LINES.get(l);
                String look = look(c, l);
                draw(
                        plot,
                        curve,
                        point -> line.of(point.response()),
                        look + " " + line.dash(),
                        alone() ? line.name() : "");
                if (line.name().equals("p99")) {
                    trials(plot, curve, step -> line.of(step.figures().response()), look);
                    atLeast(plot, curve, line, look);
                    dots(
                            plot,
                            curve,
                            point -> line.of(point.response()),
                            point -> NumberFormat.latency(point.response(), 99),
                            look);
                }
            }
        }
        boolean bounds = curves.stream()
                .flatMap(curve -> curve.points().stream())
                .anyMatch(point -> point.response().isBound(99));
        return Chart.framed(
                "Response against offered rate",
                bounds ? ComparisonSection.AT_LEAST : "",
                keys(true),
                plot.svg("t-steps"),
                new Html(),
                false);
    }

    private Html achieved() {
        Plot plot = new Plot("Achieved against offered rate", offered, offered, WIDTH, HEIGHT, 16);
        plot.axes("offered, records/s", "achieved, records/s");
        knees(plot);
        double[] ends = {offered.low(), offered.high()};
        plot.line(ends, ends, "ideal", "");
        for (int c = 0; c < curves.size(); c++) {
            LoadCurve curve = curves.get(c);
            String look = alone() ? "c1" : ChartColors.of(c);
            draw(plot, curve, LoadCurve.Point::achievedPerSecond, look + " solid", "");
            trials(plot, curve, LoadCurveSection::achieved, look);
            dots(
                    plot,
                    curve,
                    LoadCurve.Point::achievedPerSecond,
                    point -> NumberFormat.rate(point.achievedPerSecond()),
                    look);
        }
        return Chart.framed("Achieved against offered rate", "", keys(false), plot.svg("t-steps"), new Html(), false);
    }

    private static double achieved(StepResult step) {
        Double achieved = LoadCurve.achievedPerSecond(step);
        return achieved == null ? Double.NaN : achieved;
    }

    private List<Chart.Key> keys(boolean percentiles) {
        List<Chart.Key> keys = new ArrayList<>();
        if (!alone()) {
            for (int c = 0; c < curves.size(); c++) {
                keys.add(new Chart.Key(curves.get(c).variant(), ChartColors.of(c) + " solid"));
            }
            if (percentiles) {
                LINES.forEach(line -> keys.add(new Chart.Key(line.name(), "plain " + line.dash())));
            }
        }
        return keys;
    }

    private void knees(Plot plot) {
        for (LoadCurve curve : curves) {
            LoadCurve.@Nullable Point knee = curve.knee();
            if (knee != null && curve.beyond() != null) {
                plot.mark(knee.rate(), alone() ? "sustained to " + NumberFormat.rate(knee.rate()) : curve.variant());
            }
        }
    }

    private static void draw(
            Plot plot, LoadCurve curve, ToDoubleFunction<LoadCurve.Point> figure, String look, String name) {
        List<LoadCurve.Point> rising = curve.rising();
        plot.line(
                rising.stream().mapToDouble(LoadCurve.Point::rate).toArray(),
                rising.stream().mapToDouble(figure).toArray(),
                look,
                name);
    }

    private static void atLeast(Plot plot, LoadCurve curve, Line line, String look) {
        for (LoadCurve.Point point : curve.points()) {
            if (point.response().isBound(line.percentile())) {
                String text = line.name() + " " + NumberFormat.latency(point.response(), line.percentile());
                plot.atLeast(point.rate(), line.of(point.response()), true, look, text);
            }
        }
    }

    private static void dots(
            Plot plot,
            LoadCurve curve,
            ToDoubleFunction<LoadCurve.Point> figure,
            Function<LoadCurve.Point, String> written,
            String look) {
        for (LoadCurve.Point point : curve.points()) {
            double value = figure.applyAsDouble(point);
            String text = curve.variant() + ", " + point.label() + ": " + written.apply(point) + " ("
                    + point.state().word() + ")";
            switch (point.state()) {
                case SUSTAINED -> plot.dot(point.rate(), value, look, text);
                case DEGRADED, UNTESTED, UNFINISHED -> plot.dot(point.rate(), value, look + " ring", text);
                case BROKEN -> plot.cross(point.rate(), value, look, text);
            }
        }
    }

    private void trials(Plot plot, LoadCurve curve, ToDoubleFunction<StepResult> figure, String look) {
        List<TrialView> own = run.of(curve.variant());
        if (own.size() < 2) {
            return;
        }
        for (TrialView trial : own) {
            for (StepResult step : trial.result().steps()) {
                if (step.rate() != null) {
                    double value = figure.applyAsDouble(step);
                    plot.dot(step.rate(), value, look + " small", trial.label() + ": " + NumberFormat.number(value));
                }
            }
        }
    }

    private Html table() {
        Table table = new Table(
                1, "step", "offered", "achieved", "", "response p50", "p99", "p99.9", "max", "failed", "", "why");
        for (LoadCurve curve : curves) {
            for (LoadCurve.Point point : curve.points()) {
                String state = point.state().word();
                List<Table.Cell> cells = new ArrayList<>();
                String number = String.valueOf(curve.points().indexOf(point) + 1);
                for (String text : List.of(
                        alone() ? number : curve.variant() + ", step " + number,
                        NumberFormat.rate(point.rate()),
                        NumberFormat.rate(point.achievedPerSecond()),
                        point.achievement(),
                        NumberFormat.latency(point.response(), 50),
                        NumberFormat.latency(point.response(), 99),
                        NumberFormat.latency(point.response(), 99.9),
                        NumberFormat.latency(point.response(), 100),
                        NumberFormat.count(point.failed()))) {
                    cells.add(new Table.Cell(text, ""));
                }
                cells.add(new Table.Cell(point.fate(), "state " + state));
                cells.add(new Table.Cell(point.why(), "text"));
                table.cells(cells);
            }
        }
        return table.html(
                "t-steps",
                run.repeats()
                        ? "Steps: response is the median over the trials, failures are those of the worst one"
                        : "Steps");
    }

    /** True when there is a curve to draw. */
    static boolean any(RunView run) {
        return !new LoadCurveSection(run).curves.isEmpty();
    }
}
