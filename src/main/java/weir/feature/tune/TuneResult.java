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
 * The Pareto front of settings that a search found. No other tried setting is better in every metric than a setting on
 * the front.
 *
 * @param of name of the variant whose settings are tuned
 * @param throughput metric for throughput: {@code acked/s} or {@code received/s}
 * @param latency metric for latency, such as {@code response p99}
 * @param at the rate at which latencies are compared, in operations per second; null before it is known
 * @param finalists the results of the finals, the defaults first; empty before the end of the finals
 * @param reason reason why there is no answer; empty with an answer
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
     * @param settings values by path; empty for the defaults
     * @param round round of the finals, from 1; 0 before the finals
     * @param paced true for a trial at the common rate, which measures latency; false for a trial at full speed
     * @param millis latency percentile in milliseconds
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

    /** A ratio to the defaults. Its interval is corrected for the number of comparisons. */
    public record RatioToDefaults(
            @Nullable Double ratio,
            @Nullable Double low,
            @Nullable Double high) {
        static final RatioToDefaults UNKNOWN = new RatioToDefaults(null, null, null);

        public boolean above() {
            return low != null && low > 1;
        }

        public boolean below() {
            return high != null && high < 1;
        }

        String written() {
            return NumberFormat.times(ratio) + NumberFormat.interval(low, high, NumberFormat::number);
        }
    }

    public enum Verdict {
        DEFAULTS,
        BETTER,
        TRADES,
        WORSE,
        NOT_DISTINGUISHABLE
    }

    /**
     * A point of the finals, measured again in turns with the defaults.
     *
     * @param durability durability class in words
     * @param rank rank of that class; higher is better
     * @param front true if no other finalist is better in every metric
     * @param perSecond geometric mean over the trials of the finals, as is {@code millis}
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
                        one.paced() ? latency + " " + NumberFormat.millis(one.millis()) : "at full speed"))
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
