package weir.feature.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import weir.judge.trial.JudgedTrial;
import weir.measure.Interval;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.measure.Welch;
import weir.plan.Experiment.ModelSpec;
import weir.plan.syntax.Units;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/**
 * The fits of the models to the trials. A cost model is fitted to the mean cost of a transaction in each trial, because
 * only means add up. A scaling law is fitted to each group of variants that differ only in one setting.
 */
public final class Fits {
    private static final int POINTS = 40;

    private Fits() {}

    private record Point(List<Double> counts, double millis) {}

    static List<FitResult> costs(List<ModelSpec> asked, List<JudgedTrial> trials) {
        List<TrialResult> results = trials.stream().map(JudgedTrial::result).toList();
        return asked.stream()
                .filter(FitSpec.Cost.class::isInstance)
                .map(fit -> of((FitSpec.Cost) fit, results))
                .toList();
    }

    static FitResult of(FitSpec.Cost fit, List<TrialResult> trials) {
        List<Point> points = trials.stream()
                .filter(trial -> fit.variants().contains(trial.variant()))
                .map(trial -> point(fit, trial))
                .flatMap(List::stream)
                .toList();
        double[][] counts = points.stream().map(point -> array(point.counts())).toArray(double[][]::new);
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
                found.at(array(counts)))));
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

    private record FittedTrial(double count, double rate, TrialResult trial) {}

    static List<ScalingResult> scalings(List<ModelSpec> asked, List<JudgedTrial> trials) {
        Map<Integer, JudgedTrial> byNumber =
                trials.stream().collect(Collectors.toMap(trial -> trial.result().trial(), trial -> trial));
        return scalings(
                asked,
                trials.stream().map(JudgedTrial::result).toList(),
                result -> RateLimit.of(Objects.requireNonNull(byNumber.get(result.trial()))));
    }

    static List<ScalingResult> scalings(
            List<ModelSpec> asked, List<TrialResult> trials, Function<TrialResult, ScalingResult.Limit> limits) {
        return asked.stream()
                .filter(FitSpec.Scaling.class::isInstance)
                .map(fit -> of((FitSpec.Scaling) fit, trials, limits))
                .toList();
    }

    private static ScalingResult of(
            FitSpec.Scaling fit, List<TrialResult> trials, Function<TrialResult, ScalingResult.Limit> limits) {
        Map<Map<String, String>, List<FittedTrial>> groups = new LinkedHashMap<>();
        for (TrialResult result : trials) {
            Double count = Units.number(result.settings().getOrDefault(fit.scaling(), ""));
            double rate = Math.max(result.mostAckedPerSecond(), result.figures().orZero(RateKind.RECEIVED));
            if (fit.variants().contains(result.variant()) && count != null && count >= 1) {
                SortedMap<String, String> others = new TreeMap<>(result.settings());
                others.remove(fit.scaling());
                groups.computeIfAbsent(others, group -> new ArrayList<>()).add(new FittedTrial(count, rate, result));
            }
        }
        return new ScalingResult(
                fit.scaling(),
                groups.entrySet().stream()
                        .map(group -> curve(
                                fit, name(fit, group.getKey(), group.getValue(), groups), group.getValue(), limits))
                        .toList());
    }

    private static String name(
            FitSpec.Scaling fit,
            Map<String, String> own,
            List<FittedTrial> carried,
            Map<Map<String, String>, List<FittedTrial>> groups) {
        List<String> names = carried.stream()
                .map(FittedTrial::trial)
                .map(result -> withoutCount(result.variant(), fit.scaling(), result.settings()))
                .distinct()
                .toList();
        if (groups.size() == 1) {
            return "";
        }
        return names.size() == 1 && !names.get(0).isEmpty()
                ? names.get(0)
                : own.entrySet().stream()
                        .filter(setting -> groups.keySet().stream()
                                .anyMatch(other -> !setting.getValue().equals(other.get(setting.getKey()))))
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .collect(Collectors.joining(","));
    }

    private static String withoutCount(String variant, String scaling, Map<String, String> settings) {
        String value = "=" + settings.get(scaling);
        int point = variant.lastIndexOf('/') + 1;
        String left = Arrays.stream(variant.substring(point).split(","))
                .filter(label -> !label.equals(scaling + value) && !label.equals(FitResult.word(scaling) + value))
                .collect(Collectors.joining(","));
        String name = variant.substring(0, point) + left;
        return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    }

    private static ScalingResult.Curve curve(
            FitSpec.Scaling fit,
            String name,
            List<FittedTrial> asked,
            Function<TrialResult, ScalingResult.Limit> limits) {
        List<FittedTrial> carried = asked.stream().filter(of -> of.rate() > 0).toList();
        SortedMap<Double, List<FittedTrial>> byCount = byCount(carried);
        double[] counts = carried.stream().mapToDouble(FittedTrial::count).toArray();
        @Nullable ScalingFit found = ScalingFit.determined(counts) ? ScalingFit.of(counts, rates(carried)) : null;
        double[] ofOne = rates(byCount.getOrDefault(1.0, List.of()));
        List<ScalingResult.Point> points = new ArrayList<>();
        byCount.forEach((count, of) -> points.add(new ScalingResult.Point(
                count,
                of.size(),
                estimate(Interval.ofMean(rates(of))),
                efficiency(count, of, ofOne, found),
                found == null ? null : estimate(found.at(count)),
                limits.apply(middle(of)))));
        String word = FitResult.word(fit.scaling());
        List<String> notes = new ArrayList<>();
        if (found == null) {
            notes.add("a scaling law needs " + ScalingFit.FEWEST + " different numbers, found " + byCount.size());
        }
        notes.addAll(nothing(asked, word));
        return new ScalingResult.Curve(
                name, points, found == null ? null : law(found, farthest(counts, asked)), String.join("; ", notes));
    }

    private static SortedMap<Double, List<FittedTrial>> byCount(List<FittedTrial> carried) {
        SortedMap<Double, List<FittedTrial>> byCount = new TreeMap<>();
        carried.forEach(of ->
                byCount.computeIfAbsent(of.count(), count -> new ArrayList<>()).add(of));
        return byCount;
    }

    private static List<String> nothing(List<FittedTrial> asked, String word) {
        List<String> nothing = new ArrayList<>();
        byCount(asked).forEach((count, of) -> {
            long without = of.stream().filter(one -> !(one.rate() > 0)).count();
            if (without > 0) {
                nothing.add(without + " of " + of.size() + " at " + NumberFormat.number(count));
            }
        });
        return nothing.isEmpty()
                ? List.of()
                : List.of("Weir excludes trials that carried no record: " + NumberFormat.listed(nothing) + " " + word);
    }

    private static double[] rates(List<FittedTrial> of) {
        return of.stream().mapToDouble(FittedTrial::rate).toArray();
    }

    private static TrialResult middle(List<FittedTrial> of) {
        List<FittedTrial> sorted = of.stream()
                .sorted(Comparator.comparingDouble(FittedTrial::rate))
                .toList();
        return sorted.get((sorted.size() - 1) / 2).trial();
    }

    private static ScalingResult.Estimate efficiency(
            double count, List<FittedTrial> of, double[] ofOne, @Nullable ScalingFit found) {
        if (count == 1) {
            return new ScalingResult.Estimate(1.0, null, null);
        }
        if (ofOne.length == 0) {
            return found == null ? new ScalingResult.Estimate(null, null, null) : estimate(found.efficiency(count));
        }
        Welch ratio =
                Welch.of(Arrays.stream(rates(of)).map(rate -> rate / count).toArray(), ofOne);
        return estimate(new Interval(ratio.ratio(), ratio.low(), ratio.high()));
    }

    private static double farthest(double[] counts, List<FittedTrial> asked) {
        double most = Arrays.stream(counts).max().orElseThrow();
        return asked.stream().anyMatch(of -> of.count() > most) ? most : ScalingResult.FARTHEST * most;
    }

    private static ScalingResult.Law law(ScalingFit found, double most) {
        List<ScalingResult.Fitted> line = DoubleStream.concat(
                        DoubleStream.iterate(1, count -> count < most, count -> count + (most - 1) / POINTS),
                        DoubleStream.of(most))
                .mapToObj(count -> new ScalingResult.Fitted(count, estimate(found.at(count))))
                .toList();
        return new ScalingResult.Law(
                estimate(found.rateOfOne()),
                estimate(found.contention()),
                estimate(found.coherency()),
                upTo(most, found.below(ScalingResult.EFFICIENT)),
                upTo(most, found.peak()),
                line);
    }

    private static ScalingResult.Estimate upTo(double most, Interval of) {
        DoubleUnaryOperator end = count -> count <= most ? count : Double.NaN;
        return estimate(
                new Interval(end.applyAsDouble(of.value()), end.applyAsDouble(of.low()), end.applyAsDouble(of.high())));
    }

    private static ScalingResult.Estimate estimate(Interval of) {
        return new ScalingResult.Estimate(Known.of(of.value()), Known.of(of.low()), Known.of(of.high()));
    }
}
