package weir.judge.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.trial.JudgedTrial;
import weir.measure.Known;
import weir.measure.Welch;
import weir.measure.fit.Interval;
import weir.measure.fit.ScalingFit;
import weir.plan.FitSpec;
import weir.plan.syntax.Units;
import weir.results.value.FitResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.ScalingResult;
import weir.results.value.TrialResult;

/**
 * Fits the scaling laws that an experiment asks for: one for each group of variants that differ in one setting only,
 * with the limit at each N.
 */
public final class ScalingFits {
    private static final int POINTS = 40;

    private ScalingFits() {}

    private record Carried(double count, double rate, TrialResult trial) {}

    public static List<ScalingResult> of(List<FitSpec> asked, List<JudgedTrial> trials) {
        Map<Integer, JudgedTrial> byNumber =
                trials.stream().collect(Collectors.toMap(trial -> trial.result().trial(), trial -> trial));
        return of(
                asked,
                trials.stream().map(JudgedTrial::result).toList(),
                result -> RateLimit.of(Objects.requireNonNull(byNumber.get(result.trial()))));
    }

    static List<ScalingResult> of(
            List<FitSpec> asked, List<TrialResult> trials, Function<TrialResult, ScalingResult.Limit> limits) {
        return asked.stream()
                .filter(FitSpec.Scaling.class::isInstance)
                .map(fit -> of((FitSpec.Scaling) fit, trials, limits))
                .toList();
    }

    private static ScalingResult of(
            FitSpec.Scaling fit, List<TrialResult> trials, Function<TrialResult, ScalingResult.Limit> limits) {
        Map<Map<String, String>, List<Carried>> groups = new LinkedHashMap<>();
        for (TrialResult result : trials) {
            Double count = Units.number(result.settings().getOrDefault(fit.scaling(), ""));
            double rate = Math.max(result.mostAckedPerSecond(), result.figures().orZero(RateKind.RECEIVED));
            if (fit.variants().contains(result.variant()) && count != null && count >= 1) {
                SortedMap<String, String> others = new TreeMap<>(result.settings());
                others.remove(fit.scaling());
                groups.computeIfAbsent(others, group -> new ArrayList<>()).add(new Carried(count, rate, result));
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
            List<Carried> carried,
            Map<Map<String, String>, List<Carried>> groups) {
        List<String> names = carried.stream()
                .map(Carried::trial)
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
            FitSpec.Scaling fit, String name, List<Carried> asked, Function<TrialResult, ScalingResult.Limit> limits) {
        List<Carried> carried = asked.stream().filter(of -> of.rate() > 0).toList();
        SortedMap<Double, List<Carried>> byCount = byCount(carried);
        double[] counts = carried.stream().mapToDouble(Carried::count).toArray();
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
            notes.add(byCount.size() + " different numbers do not determine it, it takes " + ScalingFit.FEWEST);
        }
        notes.addAll(nothing(asked, word));
        return new ScalingResult.Curve(
                name, points, found == null ? null : law(found, farthest(counts, asked)), String.join("; ", notes));
    }

    private static SortedMap<Double, List<Carried>> byCount(List<Carried> carried) {
        SortedMap<Double, List<Carried>> byCount = new TreeMap<>();
        carried.forEach(of ->
                byCount.computeIfAbsent(of.count(), count -> new ArrayList<>()).add(of));
        return byCount;
    }

    private static List<String> nothing(List<Carried> asked, String word) {
        List<String> nothing = new ArrayList<>();
        byCount(asked).forEach((count, of) -> {
            long without = of.stream().filter(one -> !(one.rate() > 0)).count();
            if (without > 0) {
                nothing.add(without + " of " + of.size() + " at " + NumberFormat.number(count));
            }
        });
        return nothing.isEmpty()
                ? List.of()
                : List.of("trials that carried nothing are left out: " + NumberFormat.listed(nothing) + " " + word);
    }

    private static double[] rates(List<Carried> of) {
        return of.stream().mapToDouble(Carried::rate).toArray();
    }

    private static TrialResult middle(List<Carried> of) {
        List<Carried> sorted =
                of.stream().sorted((x, y) -> Double.compare(x.rate(), y.rate())).toList();
        return sorted.get((sorted.size() - 1) / 2).trial();
    }

    private static ScalingResult.Estimate efficiency(
            double count, List<Carried> of, double[] ofOne, @Nullable ScalingFit found) {
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

    private static double farthest(double[] counts, List<Carried> asked) {
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
        List<@Nullable Double> ends = Stream.of(of.value(), of.low(), of.high())
                .map(end -> end <= most ? end : Double.NaN)
                .map(Known::of)
                .collect(Collectors.toCollection(ArrayList::new));
        return new ScalingResult.Estimate(ends.get(0), ends.get(1), ends.get(2));
    }

    private static ScalingResult.Estimate estimate(Interval of) {
        return new ScalingResult.Estimate(Known.of(of.value()), Known.of(of.low()), Known.of(of.high()));
    }
}
