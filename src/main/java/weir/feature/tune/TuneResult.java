package weir.feature.tune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.results.value.Attempt;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;

/**
 * The Pareto front of settings, as far as a search found it: no other setting beats one of them in every metric.
 *
 * @param of the variant whose settings were tuned
 * @param throughput the metric of throughput, {@code acked/s} or {@code received/s}
 * @param latency the metric of latency, such as {@code response p99}
 * @param at the rate in operations per second at which latencies are compared; null before it is known
 * @param finalists the defaults first; empty until the finals are over
 * @param reason why there is no answer; empty where there is one
 */
public record TuneResult(
        String of,
        String throughput,
        String latency,
        Map<String, List<String>> space,
        @Nullable Double at,
        List<TuneTrial> trials,
        List<Finalist> finalists,
        List<Effect> effects,
        String reason)
        implements SearchResult {
    public TuneResult {
        space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
        trials = List.copyOf(trials);
        finalists = List.copyOf(finalists);
        effects = List.copyOf(effects);
    }

    /**
     * One trial.
     *
     * @param settings the values of the space that it had, by their paths; empty for the defaults
     * @param round of the finals, from 1; 0 before them
     * @param paced whether it ran at the common rate, for its latency; else as fast as it goes
     * @param millis the percentile of latency
     * @param seconds that it took with all that belongs to it
     */
    public record TuneTrial(
            int trial,
            SortedMap<String, String> settings,
            int round,
            boolean paced,
            @Nullable Double perSecond,
            @Nullable Double millis,
            @Nullable Double micros,
            double seconds) {
        public TuneTrial {
            settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }
    }

    /** A ratio to the defaults, with an interval at the level that several comparisons leave to each. */
    public record RatioToDefaults(
            @Nullable Double ratio,
            @Nullable Double low,
            @Nullable Double high) {
        public boolean above() {
            return low != null && low > 1;
        }

        public boolean below() {
            return high != null && high < 1;
        }

        String written() {
            return NumberFormat.times(ratio)
                    + (low == null || high == null
                            ? ""
                            : " [" + NumberFormat.number(low) + ", " + NumberFormat.number(high) + "]");
        }
    }

    public enum Verdict {
        DEFAULTS,
        /** Better in one metric and worse in none, as far as the trials can tell. */
        BETTER,
        TRADES,
        WORSE,
        NOT_DISTINGUISHABLE
    }

    /**
     * A point that was measured again, side by side with the defaults.
     *
     * @param durability its class in words
     * @param rank the place of that class; more is better
     * @param front whether none of the others beats it in everything
     * @param perSecond and {@code millis}: geometric means over the trials of the finals
     */
    public record Finalist(
            SortedMap<String, String> settings,
            String durability,
            int rank,
            int trials,
            @Nullable Double perSecond,
            @Nullable Double millis,
            @Nullable Double micros,
            RatioToDefaults throughput,
            RatioToDefaults latency,
            boolean front,
            Verdict verdict) {
        public Finalist {
            settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }

        public boolean defaults() {
            return verdict == Verdict.DEFAULTS;
        }

        double rate() {
            return Objects.requireNonNullElse(perSecond, 0.0);
        }

        String name() {
            return defaults() ? "the defaults" : TunedVariant.name(settings).replace(",", ", ");
        }
    }

    public record Effect(
            String path, String value, String against, RatioToDefaults throughput, RatioToDefaults latency) {}

    @Override
    public List<Attempt> tried() {
        return trials.stream()
                .map(one -> new Attempt(
                        one.trial(),
                        one.perSecond() == null ? 0 : one.perSecond(),
                        one.seconds(),
                        Attempt.Outcome.SUSTAINED,
                        one.paced() ? latency + " " + NumberFormat.millis(one.millis()) : "as fast as it goes"))
                .toList();
    }

    String scope() {
        long points = trials.stream().map(TuneTrial::settings).distinct().count();
        return NumberFormat.count(points) + " settings tried in " + NumberFormat.count((long) trials.size())
                + " trials";
    }

    public List<Finalist> better() {
        return finalists.stream().filter(one -> one.verdict() == Verdict.BETTER).toList();
    }
}
