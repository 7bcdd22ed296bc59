package weir.results.value;

import java.util.List;
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

    /** True when so many partitions were sustained more often than refused. */
    public static boolean held(List<PartitionTrial> trials, int partitions) {
        return count(trials, partitions, Attempt.Outcome.SUSTAINED)
                > count(trials, partitions, Attempt.Outcome.REFUSED);
    }

    /** Returns the number of trials with so many partitions that went so. */
    public static long count(List<PartitionTrial> trials, int partitions, Attempt.Outcome outcome) {
        return trials.stream()
                .filter(trial -> trial.partitions == partitions && trial.tried.outcome() == outcome)
                .count();
    }
}
