package weir.feature.partitions;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.results.value.Attempt;

/** The trials of the whole load with different numbers of partitions. They determine the next number to try. */
final class CarryingTrials {
    private static final int REFUSALS = 2;

    private final List<PartitionTrial> trials;

    CarryingTrials(List<PartitionTrial> earlier) {
        this.trials = new ArrayList<>(earlier);
    }

    void add(PartitionTrial trial) {
        trials.add(trial);
    }

    List<PartitionTrial> all() {
        return List.copyOf(trials);
    }

    int size() {
        return trials.size();
    }

    boolean isEmpty() {
        return trials.isEmpty();
    }

    /** Returns the next number of partitions to try; zero if the answer is known or cannot be found. */
    int next(PartitionSizing sizing, double rate) {
        int number = sizing.partitions(rate);
        if (trials.size() >= PartitionVariant.MOST_CARRIED) {
            return 0;
        }
        if (refused(number)) {
            int most = Math.max(number, sizing.high(rate));
            for (int more = number + 1; more <= most; more++) {
                if (!refused(more)) {
                    return held(more) || generatorRefused(more) ? 0 : more;
                }
            }
            return 0;
        }
        while (number > 0 && held(number)) {
            number--;
        }
        return number == 0 || refused(number) || generatorRefused(number) ? 0 : number;
    }

    private boolean held(int partitions) {
        return PartitionTrial.held(trials, partitions);
    }

    private boolean refused(int partitions) {
        return PartitionTrial.count(trials, partitions, Attempt.Outcome.REFUSED) >= REFUSALS && !held(partitions);
    }

    private boolean generatorRefused(int partitions) {
        return PartitionTrial.count(trials, partitions, Attempt.Outcome.OURS) >= REFUSALS
                && !held(partitions)
                && !refused(partitions);
    }

    @Nullable Integer least() {
        return trials.stream()
                .map(PartitionTrial::partitions)
                .filter(this::held)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The largest refused number below {@code least}, or of all numbers if that is null; zero without one. */
    int refusedBelow(@Nullable Integer least) {
        return trials.stream()
                .mapToInt(PartitionTrial::partitions)
                .filter(this::refused)
                .filter(number -> least == null || number < least)
                .max()
                .orElse(0);
    }

    String why(int partitions) {
        String last = last(partitions);
        return last.isEmpty() ? "" : "with " + partitions + " " + last;
    }

    private String last(int partitions) {
        return trials.stream()
                .filter(trial -> trial.partitions() == partitions && !trial.sustained())
                .map(trial -> trial.tried().why())
                .reduce((earlier, later) -> later)
                .orElse("");
    }

    String stopped(int partitions) {
        if (generatorRefused(partitions)) {
            return "the generator was the limit in trials with " + partitions + ": " + last(partitions);
        }
        return trials.stream().anyMatch(trial -> trial.partitions() == partitions)
                ? "the search ended before enough trials with " + partitions
                : "the search ended before a trial with " + partitions;
    }

    String undecided() {
        PartitionTrial last = trials.get(trials.size() - 1);
        return generatorRefused(last.partitions())
                ? "the generator is the limit, " + why(last.partitions())
                : "the search ended before enough trials, " + why(last.partitions());
    }

    String limitedByGenerator() {
        return trials.stream()
                .map(PartitionTrial::partitions)
                .filter(this::generatorRefused)
                .findFirst()
                .map(this::why)
                .orElse("");
    }
}
