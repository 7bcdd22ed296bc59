package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A trial of a search for partitions.
 *
 * @param partitions of each topic of its load
 * @param offered operations per second; null where it went as fast as it could
 * @param carried records per second that were acknowledged, or read where it only reads; null when nothing was
 * @param tried the rate and what came of it; where it went as fast as it could, the rate is what it carried
 */
public record PartitionTrial(
        int partitions, @Nullable Double offered, @Nullable Double carried, Attempt tried) {
    public boolean sustained() {
        return tried.outcome() == Attempt.Outcome.SUSTAINED;
    }
}
