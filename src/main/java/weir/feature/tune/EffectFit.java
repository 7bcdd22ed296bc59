package weir.feature.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import weir.feature.tune.TuneResult.Effect;
import weir.feature.tune.TuneResult.RatioToDefaults;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.measure.LeastSquares;

/**
 * The effect of each single setting value, compared with the default value. A least squares fit over all trials of a
 * search gives one coefficient per value. The sum of the coefficients predicts the logarithm of a figure. If settings
 * influence each other, the intervals become wider.
 */
final class EffectFit {
    /** Keeps the equations solvable if two values were always tried together. */
    private static final double RIDGE = 1e-6;

    /** The variance above which only the ridge determines a coefficient, relative to that between trials. */
    private static final double UNDETERMINED = 1e3;

    private EffectFit() {}

    private record Value(String path, String value) {}

    /**
     * @param space values to try, by path
     * @param defaults default values, by path
     */
    static List<Effect> of(
            Map<String, List<String>> space, SortedMap<String, String> defaults, List<TuneTrial> trials) {
        Map<Value, RatioToDefaults> throughput = fitted(
                space, defaults, trials, one -> !one.paced(), one -> Objects.requireNonNullElse(one.perSecond(), 0.0));
        Map<Value, RatioToDefaults> latency =
                fitted(space, defaults, trials, TuneTrial::paced, one -> Objects.requireNonNullElse(one.millis(), 0.0));
        List<Effect> effects = new ArrayList<>();
        throughput.forEach((value, ratio) -> effects.add(new Effect(
                value.path(),
                value.value(),
                defaults.getOrDefault(value.path(), ""),
                ratio,
                latency.getOrDefault(value, RatioToDefaults.UNKNOWN))));
        return effects;
    }

    private static Map<Value, RatioToDefaults> fitted(
            Map<String, List<String>> space,
            SortedMap<String, String> defaults,
            List<TuneTrial> all,
            Predicate<TuneTrial> counts,
            ToDoubleFunction<TuneTrial> figure) {
        List<TuneTrial> trials = all.stream()
                .filter(counts)
                .filter(one -> figure.applyAsDouble(one) > 0)
                .toList();
        List<Value> values = new ArrayList<>();
        space.forEach((path, each) -> each.stream()
                .map(value -> new Value(path, value))
                .filter(value -> !value.value().equals(defaults.get(path)))
                .filter(value -> trials.stream().anyMatch(one -> has(one, value, defaults)))
                .forEach(values::add));
        int size = values.size() + 1;
        Map<Value, RatioToDefaults> found = new LinkedHashMap<>();
        if (trials.size() <= size) {
            values.forEach(value -> found.put(value, RatioToDefaults.UNKNOWN));
            return found;
        }
        double[][] rows = trials.stream().map(one -> row(one, values, defaults)).toArray(double[][]::new);
        double[] logs = trials.stream()
                .mapToDouble(one -> Math.log(figure.applyAsDouble(one)))
                .toArray();
        double[] ones = trials.stream().mapToDouble(one -> 1).toArray();
        LeastSquares fit = LeastSquares.of(rows, logs, ones, RIDGE).orElseThrow();
        double squares = 0;
        for (int i = 0; i < rows.length; i++) {
            squares += Math.pow(logs[i] - fit.at(rows[i]), 2);
        }
        double reach = LeastSquares.reach(squares, trials.size() - size);
        for (int i = 1; i < size; i++) {
            double[] unit = new double[size];
            unit[i] = 1;
            double variance = fit.covariance(unit, unit);
            double coefficient = fit.at(unit);
            double half = reach * Math.sqrt(variance);
            found.put(
                    values.get(i - 1),
                    variance > UNDETERMINED
                            ? RatioToDefaults.UNKNOWN
                            : new RatioToDefaults(
                                    Math.exp(coefficient), Math.exp(coefficient - half), Math.exp(coefficient + half)));
        }
        return found;
    }

    private static double[] row(TuneTrial trial, List<Value> values, SortedMap<String, String> defaults) {
        double[] row = new double[values.size() + 1];
        row[0] = 1;
        for (int i = 0; i < values.size(); i++) {
            row[i + 1] = has(trial, values.get(i), defaults) ? 1 : 0;
        }
        return row;
    }

    private static boolean has(TuneTrial trial, Value value, SortedMap<String, String> defaults) {
        String usual = defaults.getOrDefault(value.path(), "");
        return value.value().equals(trial.settings().getOrDefault(value.path(), usual));
    }
}
