package weir.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.BreakingPoints;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.Latency;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Downsampling;
import weir.report.block.Plot;
import weir.report.block.Table;
import weir.results.WindowRow;
import weir.results.value.BreakingPointResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/**
 * A pace over time in one picture, for the median trial of each variant: latencies, rates, missing messages, and the
 * outcome of each step. Rests are gaps; each second and each step has its own percentile.
 */
final class PaceSection {
    private static final int WIDTH = 1080;
    private static final int HEIGHT = 360;
    private static final int ROOM_RIGHT = 76;
    private static final int POINTS = 520;
    private static final int MOST = 8;
    private static final double FARTHEST = 99.99;

    private final TrialView trial;
    private final List<StepResult> steps;
    private final TrialClock clock;
    private final List<TimeChart.Line> latencies = new ArrayList<>();
    private final List<TimeChart.Line> rates = new ArrayList<>();

    private PaceSection(TrialView trial) {
        this.trial = trial;
        this.steps = trial.result().steps();
        this.clock = new TrialClock(trial);
        add(
                latencies,
                "response p99",
                "c1 solid",
                clock.windows(row -> row.response().p99()));
        add(latencies, "e2e p99", "c3 solid", clock.windows(row -> row.e2e().p99()));
        double[] received = gaps(clock.rates(WindowRow::received));
        boolean reads = TrialClock.anything(received);
        add(rates, "sent/s", "c4 dashed", gaps(clock.rates(WindowRow::sent)));
        add(
                rates,
                reads ? "received/s" : "acked/s",
                "c6 dashed",
                reads ? received : gaps(clock.rates(WindowRow::acked)));
        add(rates, "failed/s", "c2 dotted", gaps(clock.rates(WindowRow::failed)));
        add(rates, "lost/s (mean of the step)", "c7 dotted", lost());
    }

    private void add(List<TimeChart.Line> lines, String name, String look, double[] values) {
        if (Arrays.stream(values).anyMatch(value -> !Double.isNaN(value))) {
            int from = Math.max(0, from());
            lines.add(new TimeChart.Line(name, look, Arrays.copyOfRange(values, from, Math.max(from + 1, to()))));
        }
    }

    static boolean any(RunView run) {
        return run.variants().stream().anyMatch(variant -> stepped(run.median(variant)));
    }

    private static boolean stepped(TrialView trial) {
        return !trial.rows().isEmpty()
                && trial.result().steps().stream()
                                .filter(step -> step.rate() != null)
                                .count()
                        > 1;
    }

    static List<Block> page(RunView run) {
        List<PaceSection> paces = run.variants().stream()
                .map(run::median)
                .filter(PaceSection::stepped)
                .limit(MOST)
                .map(PaceSection::new)
                .toList();
        DoubleSummaryStatistics millis = paces.stream()
                .flatMapToDouble(PaceSection::millis)
                .filter(value -> value > 0)
                .summaryStatistics();
        double most = paces.stream()
                .flatMapToDouble(pace -> values(pace.rates))
                .filter(value -> value > 1)
                .max()
                .orElse(1);
        AxisScale latency =
                millis.getCount() > 0 ? AxisScale.around(millis.getMin(), millis.getMax()) : AxisScale.around(0.1, 1);
        int seconds = paces.stream().mapToInt(PaceSection::seconds).max().orElse(1);
        return List.of(
                Block.note(
                        "Latencies are on the left axis: lines are p99 of single seconds, level strokes p99.99 of all that was due in a"
                                + " step, dashed where fewer than ten messages lie beyond it. Rates are on the right axis."
                                + (paces.size() > 1 ? " All pictures have the same scales." : "")
                                + " In the table every message counts in the step in which it was due."
                                + " Behind each step stands how it ended: ✓ sustained, ○ degraded, ✕ broken, ? untested. Nothing is due in the"
                                + " gaps."),
                Block.charts(paces.stream()
                        .map(pace -> pace.chart(run, seconds, latency, AxisScale.fromZero(most)))
                        .toList()));
    }

    private int from() {
        return (int) Math.floor(steps.get(0).from()) - clock.first();
    }

    private int to() {
        StepResult last = steps.get(steps.size() - 1);
        return Math.min(clock.seconds(), (int) Math.ceil(last.from() + last.seconds()) - clock.first() + 1);
    }

    private int seconds() {
        return Math.max(1, to() - from());
    }

    private static DoubleStream values(List<TimeChart.Line> lines) {
        return lines.stream().flatMapToDouble(line -> Arrays.stream(line.values()));
    }

    private DoubleStream millis() {
        Stream<Double> tails = steps.stream()
                .flatMap(step ->
                        Stream.of(step.figures().response(), step.figures().e2e()))
                .map(LatencyResult::p9999)
                .filter(Objects::nonNull);
        return DoubleStream.concat(values(latencies), tails.mapToDouble(value -> value));
    }

    private Block chart(RunView run, int seconds, AxisScale latency, AxisScale rate) {
        double start = (double) clock.first() + from();
        Downsampling peaks = new Downsampling(clock.first() + from(), seconds(), POINTS);
        String title = "The pace over time, trial " + trial.label();
        Plot plot = new Plot(title, new AxisScale.Linear(start, start + seconds), latency, WIDTH, HEIGHT, ROOM_RIGHT);
        for (StepResult step : steps) {
            plot.band(step.from(), step.from() + step.seconds(), label(step), "fate " + state(step));
        }
        plot.axes("s", "latency, ms");
        plot.axisRight(rate, "records/s");
        latencies.forEach(line -> plot.line(peaks.times(), peaks.of(line.values()), line.look(), ""));
        rates.forEach(line -> plot.lineRight(peaks.times(), peaks.of(line.values()), line.look()));
        List<Block.Key> keys = new ArrayList<>();
        Stream.concat(latencies.stream(), rates.stream())
                .forEach(line -> keys.add(new Block.Key(line.name(), line.look())));
        tails(plot, "response", Figures::response, "c1", keys);
        tails(plot, "e2e", Figures::e2e, "c3", keys);
        breaks(plot);
        String id = "t-pace-" + run.variants().indexOf(trial.result().variant());
        return new Block.Chart(
                title,
                "wide",
                "",
                keys,
                List.of(plot),
                table().as(id, title + ", step by step").folded());
    }

    /** Draws p99.99 of whole steps, because percentiles of single seconds do not add up to it. */
    private void tails(
            Plot plot, String name, Function<Figures, LatencyResult> which, String look, List<Block.Key> keys) {
        boolean any = false;
        for (StepResult step : steps) {
            LatencyResult latency = which.apply(step.figures());
            Double millis = latency.p9999();
            if (millis != null) {
                any = true;
                String text = name + " p99.99 of " + NumberFormat.step(step.label()) + ": "
                        + NumberFormat.latency(latency, FARTHEST);
                boolean thin = Latency.thin(latency.count(), FARTHEST);
                plot.level(step.from(), step.from() + step.seconds(), millis, look + (thin ? " thin" : ""), text);
                if (latency.isBound(FARTHEST)) {
                    plot.atLeast(step.from() + step.seconds() / 2, millis, true, look, "at least so much");
                }
            }
        }
        if (any) {
            keys.add(new Block.Key(name + " p99.99 of each step", look + " level"));
        }
    }

    private void breaks(Plot plot) {
        BreakingPointResult.@Nullable Found found = BreakingPoints.of(trial.result());
        Double rate = found == null ? null : found.rate();
        if (rate != null) {
            steps.stream()
                    .filter(step -> rate.equals(step.rate()))
                    .findFirst()
                    .ifPresent(step -> plot.mark(step.from(), "breaks at " + NumberFormat.rate(rate)));
        }
    }

    private static String label(StepResult step) {
        return NumberFormat.step(step.label())
                + switch (state(step)) {
                    case "sustained" -> " ✓";
                    case "degraded" -> " ○";
                    case "broken" -> " ✕";
                    case "untested" -> " ?";
                    default -> "";
                };
    }

    private static String state(StepResult step) {
        return step.verdict() == null ? "" : step.verdict().state().word();
    }

    private double[] gaps(double[] values) {
        double[] kept = values.clone();
        for (int i = 0; i < kept.length; i++) {
            double second = (double) clock.first() + i;
            boolean runs = steps.stream()
                    .anyMatch(step -> second >= Math.floor(step.from()) && second < step.from() + step.seconds());
            kept[i] = !runs && kept[i] == 0 ? Double.NaN : kept[i];
        }
        return kept;
    }

    private double[] lost() {
        double[] values = new double[clock.seconds()];
        Arrays.fill(values, Double.NaN);
        for (StepResult step : steps) {
            Long lost = step.figures().count(Count.LOST);
            for (int at = (int) step.from() - clock.first();
                    lost != null && at < step.from() + step.seconds() - clock.first();
                    at++) {
                if (at >= 0 && at < values.length) {
                    values[at] = lost / step.seconds();
                }
            }
        }
        return values;
    }

    private Table table() {
        return Table.of(1, steps)
                .column("step", step -> NumberFormat.step(step.label()))
                .column("from second", step -> NumberFormat.number(step.from()))
                .column("offered/s", step -> NumberFormat.rate(step.rate()))
                .column("sent/s", step -> {
                    Long sent = step.figures().count(Count.SENT);
                    return NumberFormat.rate(sent == null ? null : sent / step.seconds());
                })
                .column("achieved/s", step -> NumberFormat.rate(LoadCurve.achievedPerSecond(step)))
                .column("failed", step -> NumberFormat.count(step.figures().count(Count.FAILED)))
                .column("lost", step -> NumberFormat.count(step.figures().count(Count.LOST)))
                .column(
                        "response p99",
                        step -> NumberFormat.latency(step.figures().response(), 99))
                .column("p99.99", step -> NumberFormat.latency(step.figures().response(), FARTHEST))
                .latencies("e2e ", step -> step.figures().e2e(), 99, FARTHEST)
                .column(
                        "",
                        step -> step.verdict() == null
                                ? NumberFormat.MISSING
                                : step.verdict().text())
                .table();
    }
}
