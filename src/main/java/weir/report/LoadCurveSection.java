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

    private final RunView story;
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

    private LoadCurveSection(RunView story) {
        this.story = story;
        List<LoadCurve> all = story.variants().stream().map(story::curve).toList();
        List<LoadCurve> stepped =
                all.stream().filter(curve -> curve.stages().size() > 1).toList();
        curves = stepped.isEmpty() ? across(all) : stepped;
        offered = scale(curves.stream()
                .flatMap(curve -> curve.stages().stream())
                .mapToDouble(LoadCurve.Stage::rate)
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
        List<LoadCurve.Stage> stages = single.stream()
                .flatMap(curve -> curve.stages().stream())
                .sorted(Comparator.comparingDouble(LoadCurve.Stage::rate))
                .toList();
        long rates = stages.stream().map(LoadCurve.Stage::rate).distinct().count();
        return rates < 3 || rates < stages.size() ? List.of() : List.of(new LoadCurve("each variant", stages));
    }

    static Html html(RunView story) {
        LoadCurveSection section = new LoadCurveSection(story);
        Html html = new Html();
        html.element(
                "p",
                "A filled dot is a step that was sustained, a ring one that was degraded, a cross one that broke; lines go "
                        + "through the median of the trials, small dots are single ones.",
                "class",
                "note");
        html.open("div", "class", "charts")
                .add(section.latency())
                .add(section.achieved())
                .close();
        return html.add(section.table()).add(StepSection.html(story));
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
            for (LoadCurve.Stage stage : curve.stages()) {
                for (Line line : LINES) {
                    double value = line.of(stage.response());
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
                        stage -> line.of(stage.response()),
                        look + " " + line.dash(),
                        alone() ? line.name() : "");
                if (line.name().equals("p99")) {
                    trials(plot, curve, step -> line.of(step.figures().response()), look);
                    atLeast(plot, curve, line, look);
                    dots(
                            plot,
                            curve,
                            stage -> line.of(stage.response()),
                            stage -> NumberFormat.latency(stage.response(), 99),
                            look);
                }
            }
        }
        boolean bounds = curves.stream()
                .flatMap(curve -> curve.stages().stream())
                .anyMatch(stage -> stage.response().isBound(99));
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
            draw(plot, curve, LoadCurve.Stage::achievedPerSecond, look + " solid", "");
            trials(plot, curve, LoadCurveSection::achieved, look);
            dots(
                    plot,
                    curve,
                    LoadCurve.Stage::achievedPerSecond,
                    stage -> NumberFormat.rate(stage.achievedPerSecond()),
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
            LoadCurve.@Nullable Stage knee = curve.knee();
            if (knee != null && curve.beyond() != null) {
                plot.mark(knee.rate(), alone() ? "sustained to " + NumberFormat.rate(knee.rate()) : curve.variant());
            }
        }
    }

    private static void draw(
            Plot plot, LoadCurve curve, ToDoubleFunction<LoadCurve.Stage> figure, String look, String name) {
        List<LoadCurve.Stage> rising = curve.rising();
        plot.line(
                rising.stream().mapToDouble(LoadCurve.Stage::rate).toArray(),
                rising.stream().mapToDouble(figure).toArray(),
                look,
                name);
    }

    private static void atLeast(Plot plot, LoadCurve curve, Line line, String look) {
        for (LoadCurve.Stage stage : curve.stages()) {
            if (stage.response().isBound(line.percentile())) {
                String text = line.name() + " " + NumberFormat.latency(stage.response(), line.percentile());
                plot.atLeast(stage.rate(), line.of(stage.response()), true, look, text);
            }
        }
    }

    private static void dots(
            Plot plot,
            LoadCurve curve,
            ToDoubleFunction<LoadCurve.Stage> figure,
            Function<LoadCurve.Stage, String> written,
            String look) {
        for (LoadCurve.Stage stage : curve.stages()) {
            double value = figure.applyAsDouble(stage);
            String text = curve.variant() + ", " + stage.label() + ": " + written.apply(stage) + " ("
                    + stage.state().word() + ")";
            switch (stage.state()) {
                case SUSTAINED -> plot.dot(stage.rate(), value, look, text);
                case DEGRADED, UNFINISHED -> plot.dot(stage.rate(), value, look + " ring", text);
                case BROKEN -> plot.cross(stage.rate(), value, look, text);
            }
        }
    }

    private void trials(Plot plot, LoadCurve curve, ToDoubleFunction<StepResult> figure, String look) {
        List<TrialView> own = story.of(curve.variant());
        if (own.size() < 2) {
            return;
        }
        for (TrialView pass : own) {
            for (StepResult step : pass.result().steps()) {
                if (step.rate() != null) {
                    double value = figure.applyAsDouble(step);
                    plot.dot(step.rate(), value, look + " small", pass.label() + ": " + NumberFormat.number(value));
                }
            }
        }
    }

    private Html table() {
        Table table = new Table(
                1, "step", "offered", "achieved", "", "response p50", "p99", "p99.9", "max", "failed", "", "why");
        for (LoadCurve curve : curves) {
            for (LoadCurve.Stage stage : curve.stages()) {
                String state = stage.state().word();
                List<Table.Cell> cells = new ArrayList<>();
                String number = String.valueOf(curve.stages().indexOf(stage) + 1);
                for (String text : List.of(
                        alone() ? number : curve.variant() + " " + number,
                        NumberFormat.rate(stage.rate()),
                        NumberFormat.rate(stage.achievedPerSecond()),
                        stage.achievement(),
                        NumberFormat.latency(stage.response(), 50),
                        NumberFormat.latency(stage.response(), 99),
                        NumberFormat.latency(stage.response(), 99.9),
                        NumberFormat.latency(stage.response(), 100),
                        NumberFormat.count(stage.failed()))) {
                    cells.add(new Table.Cell(text, ""));
                }
                cells.add(new Table.Cell(stage.fate(), "state " + state));
                cells.add(new Table.Cell(stage.why(), "text"));
                table.cells(cells);
            }
        }
        return table.html(
                "t-steps", "Steps: response is the median over the trials, failures are those of the worst one");
    }

    /** True when there is a curve to draw. */
    static boolean any(RunView story) {
        return !new LoadCurveSection(story).curves.isEmpty();
    }
}
