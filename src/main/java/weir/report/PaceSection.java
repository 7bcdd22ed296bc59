package weir.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.judge.BreakingPoints;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.Latency;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Downsampling;
import weir.report.block.Table;
import weir.results.WindowRow;
import weir.results.value.BreakingPointResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/**
 * A chart over time for the median trial of each variant: latencies, rates, missing messages, and the outcome of each
 * step. In pauses, the lines have gaps.
 */
final class PaceSection {
    private static final int POINTS = 520;
    private static final int MOST = 8;
    private static final double FARTHEST = 99.99;

    private final TrialView trial;
    private final List<StepResult> steps;
    private final TrialClock clock;
    private final double first;
    private final double last;

    private PaceSection(TrialView trial) {
        this.trial = trial;
        steps = trial.result().steps();
        clock = new TrialClock(trial);
        first = Math.floor(steps.get(0).from());
        last = Math.min(clock.end(), Math.ceil(trial.result().to()) + 1);
    }

    static List<Block> page(RunView run) {
        List<PaceSection> paces = run.variants().stream()
                .map(run::median)
                .filter(trial -> !trial.rows().isEmpty() && trial.result().stepped())
                .limit(MOST)
                .map(PaceSection::new)
                .toList();
        if (paces.isEmpty()) {
            return List.of();
        }
        double seconds =
                paces.stream().mapToDouble(pace -> pace.last - pace.first).max().orElse(1);
        Axis latency = Axis.log("latency, ms");
        Axis rate = Axis.fromZero("records/s");
        return List.of(
                Block.note("Latencies use the left axis. Lines are p99 of single seconds. Horizontal strokes are p99.99"
                        + " of the records due in a step. A dashed stroke has fewer than ten messages beyond p99.99."
                        + " Rates use the right axis."
                        + (paces.size() > 1 ? " All charts have the same scales." : "")
                        + " In the table every message counts in the step in which it was due. The symbol"
                        + " after a step is its result: ✓ sustained, ○ degraded, ✕ broken, ?"
                        + " untested. No record is due in the"
                        + " gaps."),
                Block.charts(paces.stream()
                        .map(pace -> pace.chart(run, seconds, latency, rate))
                        .toList()));
    }

    private Chart chart(RunView run, double seconds, Axis latency, Axis rate) {
        String title = "The pace over time, trial " + trial.label();
        Chart chart = new Chart(title, Axis.of("s", new AxisScale.Linear(first, first + seconds)), latency)
                .wide()
                .height(360)
                .right(rate);
        for (StepResult step : steps) {
            chart.band(step.from(), step.to(), label(step), "fate " + state(step));
        }
        line("response p99", "c1 solid", clock.windows(row -> row.response().p99()), chart::line);
        line("e2e p99", "c3 solid", clock.windows(row -> row.e2e().p99()), chart::line);
        double[] received = gaps(clock.rates(WindowRow::received));
        boolean reads = TrialClock.anything(received);
        line("sent/s", "c4 dashed", gaps(clock.rates(WindowRow::sent)), chart::lineRight);
        line(
                reads ? "received/s" : "acked/s",
                "c6 dashed",
                reads ? received : gaps(clock.rates(WindowRow::acked)),
                chart::lineRight);
        line("failed/s", "c2 dotted", gaps(clock.rates(WindowRow::failed)), chart::lineRight);
        line("lost/s (mean of the step)", "c7 dotted", lost(), chart::lineRight);
        tails(chart, "response", Figures::response, "c1");
        tails(chart, "e2e", Figures::e2e, "c3");
        breaks(chart);
        String id = "t-pace-" + run.variants().indexOf(trial.result().variant());
        return chart.table(table().as(id, title + ", step by step").folded());
    }

    private interface Drawing {
        Chart line(String name, String look, double[] seconds, double... values);
    }

    private void line(String name, String look, double[] values, Drawing drawing) {
        for (int i = 0; i < values.length; i++) {
            boolean within = clock.first() + i >= first && clock.first() + i < last;
            values[i] = within ? values[i] : Double.NaN;
        }
        if (Arrays.stream(values).anyMatch(value -> !Double.isNaN(value))) {
            Downsampling peaks = new Downsampling(clock.first(), clock.seconds(), POINTS);
            drawing.line(name, look, peaks.times(), peaks.of(values));
        }
    }

    /** Draws p99.99 of whole steps, because it does not follow from percentiles of single seconds. */
    private void tails(Chart chart, String name, Function<Figures, LatencyResult> which, String look) {
        boolean any = false;
        for (StepResult step : steps) {
            LatencyResult latency = which.apply(step.figures());
            Double millis = latency.p9999();
            if (millis != null) {
                any = true;
                String text = name + " p99.99 of " + NumberFormat.step(step.label()) + ": "
                        + NumberFormat.latency(latency, FARTHEST);
                boolean thin = Latency.thin(latency.count(), FARTHEST);
                chart.level(step.from(), step.to(), millis, look + (thin ? " thin" : ""), text);
                if (latency.isBound(FARTHEST)) {
                    chart.atLeast(step.from() + step.seconds() / 2, millis, look, "a lower bound");
                }
            }
        }
        if (any) {
            chart.key(name + " p99.99 of each step", look + " level");
        }
    }

    private void breaks(Chart chart) {
        BreakingPointResult.@Nullable Found found = BreakingPoints.of(trial.result());
        Double rate = found == null ? null : found.rate();
        if (rate != null) {
            steps.stream()
                    .filter(step -> rate.equals(step.rate()))
                    .findFirst()
                    .ifPresent(step -> chart.mark(step.from(), "breaks at " + NumberFormat.rate(rate)));
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
            boolean runs = steps.stream().anyMatch(step -> second >= Math.floor(step.from()) && second < step.to());
            kept[i] = !runs && kept[i] == 0 ? Double.NaN : kept[i];
        }
        return kept;
    }

    private double[] lost() {
        double[] values = new double[clock.seconds()];
        Arrays.fill(values, Double.NaN);
        for (StepResult step : steps) {
            Long lost = step.figures().count(Count.LOST);
            for (int at = (int) step.from() - clock.first(); lost != null && at < step.to() - clock.first(); at++) {
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
                .latencies("response ", step -> step.figures().response(), 99, FARTHEST)
                .latencies("e2e ", step -> step.figures().e2e(), 99, FARTHEST)
                .column(
                        "",
                        step -> step.verdict() == null
                                ? NumberFormat.MISSING
                                : step.verdict().text())
                .table();
    }
}
