package weir.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.TrialFolder;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/** The report section about all percentiles of a latency. The axis has equal distances between 90, 99 and 99.9 %. */
final class SpectrumSection {
    private static final String STEP_BY_STEP = "response, step by step";

    private SpectrumSection() {}

    private record Curve(String name, String look, List<TrialFolder.Point> points, LatencyResult figures) {
        /** Returns the percentile above which all points of the curve are lower bounds; 100 without lower bounds. */
        double atLeastBeyond() {
            Double beyond = figures.atLeastBeyond();
            return beyond == null ? 100 : beyond;
        }

        double[] percentiles() {
            return points.stream().mapToDouble(TrialFolder.Point::percentile).toArray();
        }

        double[] millis(boolean bounds) {
            int first = (int) points.stream()
                    .filter(point -> point.percentile() <= atLeastBeyond())
                    .count();
            return IntStream.range(0, points.size())
                    .mapToDouble(i -> (bounds ? i >= first - 1 : i < first)
                            ? points.get(i).milliseconds()
                            : Double.NaN)
                    .toArray();
        }
    }

    static List<Block> page(RunView run) {
        Map<String, List<Curve>> panels = new LinkedHashMap<>();
        for (String variant : run.variants()) {
            TrialView trial = run.median(variant);
            String prefix = run.variants().size() > 1 ? variant + ": " : "";
            List<StepResult> steps = trial.result().steps();
            if (steps.size() > 1) {
                panels.put(prefix + STEP_BY_STEP, bySteps(trial));
            }
            LoadCurve.@Nullable Point knee = run.curve(variant).knee();
            int step = steps.size() > 1 && knee != null ? knee.step() : Steps.MEASURE;
            String label = step(trial, step).map(StepResult::label).orElse("");
            String at = steps.size() > 1 ? " at " + NumberFormat.step(label) : "";
            panels.put(prefix + "kinds of latency" + at, byKinds(trial, step));
        }
        panels.values().removeIf(List::isEmpty);
        // Panels of one kind have the same scale for every variant.
        List<Axis> ofSteps = List.of(Axis.tail("percentile"), Axis.log("ms"));
        List<Axis> ofKinds = List.of(Axis.tail("percentile"), Axis.log("ms"));
        List<Block> charts = new ArrayList<>();
        panels.forEach((title, curves) -> charts.add(
                panel("t-spectrum-" + charts.size(), title, curves, title.endsWith(STEP_BY_STEP) ? ofSteps : ofKinds)));
        return charts.isEmpty() ? List.of() : List.of(Block.charts(charts));
    }

    private static Block panel(String id, String title, List<Curve> curves, List<Axis> axes) {
        Chart chart = new Chart(title, axes.get(0), axes.get(1)).height(360);
        Table.Columns<Double> table = Table.of(1, LatencyResult.PERCENTILES).column("percentile", Table::percentile);
        for (Curve curve : curves) {
            chart.line(curve.name(), curve.look(), curve.percentiles(), curve.millis(false));
            if (curve.atLeastBeyond() < 100) {
                chart.line("", curve.look() + " bound", curve.percentiles(), curve.millis(true))
                        .note("A thin line is a lower bound, because these percentiles include unfinished records.");
            }
            table.column(curve.name(), percentile -> NumberFormat.latency(curve.figures(), percentile));
        }
        return chart.table(table.as(id, title).folded());
    }

    private static List<Curve> bySteps(TrialView trial) {
        List<StepResult> steps = trial.result().steps();
        return IntStream.range(0, steps.size())
                .mapToObj(i -> curve(
                        trial,
                        LatencyKind.RESPONSE,
                        steps.get(i).step(),
                        NumberFormat.step(steps.get(i).label()),
                        "s" + Math.round(8f * i / (steps.size() - 1)) + " solid"))
                .flatMap(curve -> curve)
                .toList();
    }

    private static List<Curve> byKinds(TrialView trial, int step) {
        return Stream.of(
                        curve(trial, LatencyKind.RESPONSE, step, "response", "c1 solid"),
                        curve(trial, LatencyKind.SERVICE, step, "service", "c3 dashed"),
                        curve(trial, LatencyKind.E2E, step, "e2e", "c2 solid"),
                        curve(trial, LatencyKind.LATE, step, "late (generator)", "c4 dotted"))
                .flatMap(curve -> curve)
                .toList();
    }

    private static Stream<Curve> curve(TrialView trial, LatencyKind metric, int step, String name, String look) {
        String tag = metric.word() + "@" + step;
        List<TrialFolder.Point> points = trial.spectrum().stream()
                .filter(point -> point.latency().equals(tag) && point.percentile() < 100)
                .toList();
        Figures figures =
                step(trial, step).map(StepResult::figures).orElse(trial.result().figures());
        return points.size() < 2 ? Stream.empty() : Stream.of(new Curve(name, look, points, figures.latency(metric)));
    }

    private static Optional<StepResult> step(TrialView trial, int number) {
        return trial.result().steps().stream()
                .filter(step -> step.step() == number)
                .findFirst();
    }
}
