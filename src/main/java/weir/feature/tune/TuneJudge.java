package weir.feature.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.feature.tune.TuneResult.Finalist;
import weir.feature.tune.TuneResult.RatioToDefaults;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.feature.tune.TuneResult.Verdict;
import weir.measure.Known;
import weir.measure.Welch;
import weir.plan.RecordKeys;

/**
 * The judge of the finals of a settings search. It compares each finalist with the defaults in throughput and latency,
 * by Welch's t-test on the logarithms of the trials. The error level of 5 % is divided by the number of comparisons
 * (Bonferroni). If no setting has an effect, the probability of any false verdict is below 5 %.
 */
final class TuneJudge {
    private TuneJudge() {}

    /**
     * Returns the finalists, the defaults first.
     *
     * @param trials trials of the whole search; only trials of the finals are used
     * @param durability returns the durability class of a point
     */
    static List<Finalist> finalists(
            List<TuneTrial> trials, Function<SortedMap<String, String>, Durability> durability) {
        Map<SortedMap<String, String>, List<TuneTrial>> points = new LinkedHashMap<>();
        points.put(new TreeMap<>(), new ArrayList<>());
        trials.stream()
                .filter(one -> one.round() > 0)
                .forEach(one -> points.computeIfAbsent(one.settings(), settings -> new ArrayList<>())
                        .add(one));
        double level = Welch.LEVEL / Math.max(1, 2 * (points.size() - 1));
        List<TuneTrial> defaults = Objects.requireNonNull(points.get(new TreeMap<String, String>()));
        List<Finalist> judged = new ArrayList<>();
        points.forEach((settings, own) -> {
            RatioToDefaults throughput = versus(rates(own), rates(defaults), level);
            RatioToDefaults latency = versus(millis(own), millis(defaults), level);
            Durability its = durability.apply(settings);
            Verdict verdict;
            if (settings.isEmpty()) {
                verdict = Verdict.DEFAULTS;
            } else if (carried(defaults) && !carried(own)) {
                verdict = Verdict.WORSE;
            } else {
                int more = its.rank() - durability.apply(new TreeMap<>()).rank();
                verdict = verdict(throughput, latency, more);
            }
            judged.add(new Finalist(
                    settings,
                    its.text(),
                    its.rank(),
                    rates(own).length,
                    mean(rates(own)),
                    mean(millis(own)),
                    mean(micros(own)),
                    throughput,
                    latency,
                    false,
                    verdict));
        });
        return fronted(judged);
    }

    private static boolean carried(List<TuneTrial> trials) {
        return Welch.positive(rates(trials)) && Welch.positive(millis(trials));
    }

    private static Verdict verdict(RatioToDefaults throughput, RatioToDefaults latency, int durability) {
        boolean better = throughput.above() || latency.below() || durability > 0;
        boolean worse = throughput.below() || latency.above() || durability < 0;
        if (better) {
            return worse ? Verdict.TRADES : Verdict.BETTER;
        }
        return worse ? Verdict.WORSE : Verdict.NOT_DISTINGUISHABLE;
    }

    private static List<Finalist> fronted(List<Finalist> finalists) {
        List<ParetoFront.Values> all = finalists.stream().map(TuneJudge::values).toList();
        List<ParetoFront.Values> front = ParetoFront.of(all);
        // Beaten defaults leave the front, even if they are slightly better in the other figure.
        boolean beaten = finalists.stream().anyMatch(one -> one.verdict() == Verdict.BETTER);
        List<Finalist> marked = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Finalist one = finalists.get(i);
            marked.add(
                    RecordKeys.with(one, Map.of("front", front.contains(all.get(i)) && !(one.defaults() && beaten))));
        }
        return marked.stream()
                .sorted(Comparator.comparing((Finalist one) -> !one.defaults()).thenComparing(one -> -one.rate()))
                .toList();
    }

    private static ParetoFront.Values values(Finalist one) {
        return new ParetoFront.Values(
                one.rate(), Objects.requireNonNullElse(one.millis(), Double.POSITIVE_INFINITY), one.rank());
    }

    private static RatioToDefaults versus(double[] own, double[] defaults, double level) {
        Welch compared = Welch.of(own, defaults, level);
        return new RatioToDefaults(Known.of(compared.ratio()), Known.of(compared.low()), Known.of(compared.high()));
    }

    static double[] rates(List<TuneTrial> trials) {
        return trials.stream()
                .filter(one -> !one.paced())
                .mapToDouble(one -> Objects.requireNonNullElse(one.perSecond(), 0.0))
                .toArray();
    }

    static double[] millis(List<TuneTrial> trials) {
        return trials.stream()
                .filter(TuneTrial::paced)
                .mapToDouble(one -> Objects.requireNonNullElse(one.millis(), 0.0))
                .toArray();
    }

    private static double[] micros(List<TuneTrial> trials) {
        return trials.stream()
                .filter(one -> !one.paced() && one.micros() != null)
                .mapToDouble(one -> Objects.requireNonNull(one.micros()))
                .toArray();
    }

    private static @Nullable Double mean(double[] values) {
        return values.length == 0 ? null : Known.of(Welch.geometricMean(values));
    }
}
