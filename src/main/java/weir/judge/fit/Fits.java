package weir.judge.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.measure.fit.CostFit;
import weir.measure.fit.Interval;
import weir.plan.FitSpec;
import weir.plan.syntax.Units;
import weir.results.value.FitResult;
import weir.results.value.TrialResult;

/** Fits the cost of a transaction to the means of the trials: only means add up. */
public final class Fits {
    private Fits() {}

    private record Point(List<Double> counts, double millis) {
        double[] array() {
            return counts.stream().mapToDouble(count -> count).toArray();
        }
    }

    public static List<FitResult> of(List<FitSpec> asked, List<TrialResult> trials) {
        return asked.stream()
                .filter(FitSpec.Cost.class::isInstance)
                .map(fit -> of((FitSpec.Cost) fit, trials))
                .toList();
    }

    private static FitResult of(FitSpec.Cost fit, List<TrialResult> trials) {
        List<Point> points = trials.stream()
                .filter(trial -> fit.variants().contains(trial.variant()))
                .map(trial -> point(fit, trial))
                .flatMap(List::stream)
                .toList();
        double[][] counts = points.stream().map(Point::array).toArray(double[][]::new);
        double[] costs = points.stream().mapToDouble(Point::millis).toArray();
        double overhead = fit.overhead().share();
        if (points.size() < fit.by().size() + 1 || !CostFit.determined(counts)) {
            return new FitResult(
                    fit.of(),
                    fit.by(),
                    overhead,
                    List.of(),
                    List.of(),
                    List.of(),
                    null,
                    points.size() + (points.size() == 1 ? " trial does" : " trials do") + " not determine "
                            + (fit.by().size() + 1) + " costs");
        }
        CostFit found = CostFit.of(counts, costs);
        List<FitResult.Term> terms = new ArrayList<>();
        for (int i = 0; i <= fit.by().size(); i++) {
            Interval cost = found.coefficient(i);
            String name =
                    i == 0 ? "by itself" : "for each " + FitResult.one(fit.by().get(i - 1));
            terms.add(new FitResult.Term(name, cost.value(), Known.of(cost.low()), Known.of(cost.high())));
        }
        return new FitResult(
                fit.of(),
                fit.by(),
                overhead,
                terms,
                cells(points, found),
                smallest(points, found, overhead),
                Known.of(found.explained()),
                "");
    }

    private static List<Point> point(FitSpec.Cost fit, TrialResult trial) {
        @Nullable Double millis = trial.figures().latency(LatencyKind.of(fit.of())).mean();
        List<Double> counts = new ArrayList<>();
        for (String path : fit.by()) {
            Double number = Units.number(trial.settings().getOrDefault(path, ""));
            if (number != null) {
                counts.add(number);
            }
        }
        return millis == null || !(millis > 0) || counts.size() < fit.by().size()
                ? List.of()
                : List.of(new Point(List.copyOf(counts), millis));
    }

    private static List<FitResult.Cell> cells(List<Point> points, CostFit found) {
        Map<List<Double>, List<Point>> cells = new LinkedHashMap<>();
        points.forEach(point -> cells.computeIfAbsent(point.counts(), counts -> new ArrayList<>())
                .add(point));
        List<FitResult.Cell> results = new ArrayList<>();
        cells.forEach((counts, own) -> results.add(new FitResult.Cell(
                counts,
                own.size(),
                own.stream().mapToDouble(Point::millis).average().orElseThrow(),
                found.at(own.get(0).array()))));
        Comparator<FitResult.Cell> order =
                Comparator.comparing(cell -> others(cell.counts()).toString());
        results.sort(order.thenComparing(cell -> cell.counts().get(0)));
        return results;
    }

    private static List<Double> others(List<Double> counts) {
        return counts.subList(1, counts.size());
    }

    private static List<FitResult.Smallest> smallest(List<Point> points, CostFit found, double overhead) {
        double most = points.stream()
                .mapToDouble(point -> point.counts().get(0))
                .max()
                .orElse(0);
        return points.stream()
                .map(point -> others(point.counts()))
                .distinct()
                .sorted((x, y) -> Arrays.compare(array(x), array(y)))
                .map(other -> {
                    Interval count = found.smallest(overhead, array(other));
                    return new FitResult.Smallest(
                            other,
                            Known.of(count.value()),
                            Known.of(count.low()),
                            Known.of(count.high()),
                            count.value() > most);
                })
                .toList();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(value -> value).toArray();
    }
}
