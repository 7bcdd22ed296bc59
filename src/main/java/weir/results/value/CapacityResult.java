package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.value.SearchResults.SearchResult;

/**
 * The highest fixed rate at which the variant keeps the limits, in operations per second.
 *
 * @param rate the highest rate that was sustained twice; null if no rate was
 * @param low the lower end of the 95 % interval; null if no rate was sustained
 * @param high the upper end; null if Weir found no rate that is too high
 * @param reason the reason why the rate is not higher, or why the rate is unknown
 */
public record CapacityResult(
        String of,
        List<String> limits,
        @Nullable Double rate,
        @Nullable Double low,
        @Nullable Double high,
        String reason,
        List<Attempt> tried)
        implements SearchResult {
    public static final String METRIC = "capacity";

    public CapacityResult {
        limits = List.copyOf(limits);
        tried = List.copyOf(tried);
    }

    /** The lowest tried rate above the answer that did not always hold, or the answer itself. */
    public double next() {
        double sustained = rate == null ? 0 : rate;
        return tried.stream()
                .filter(one -> one.outcome() != Attempt.Outcome.SUSTAINED && one.outcome() != Attempt.Outcome.DISTURBED)
                .mapToDouble(Attempt::rate)
                .filter(each -> each > sustained)
                .min()
                .orElse(sustained);
    }

    public boolean generatorGaveWay() {
        long ours = count(Attempt.Outcome.OURS);
        return ours > 0
                && ours >= count(Attempt.Outcome.REFUSED)
                && ours + count(Attempt.Outcome.REFUSED) > count(Attempt.Outcome.SUSTAINED);
    }

    private long count(Attempt.Outcome outcome) {
        return tried.stream()
                .filter(one -> one.rate() == next() && one.outcome() == outcome)
                .count();
    }
}
