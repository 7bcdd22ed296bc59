package weir.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.results.value.Attempt;

/**
 * The trials of a search for the smallest number that carries a load, such as a number of partitions. A number holds if
 * more of its trials were sustained than refused. Otherwise, it is refused after two refusals.
 */
public final class TriedNumbers<T extends TriedNumbers.Tried> {
    private static final int REFUSALS = 2;

    private final List<T> trials;

    /** A trial with its number. */
    public interface Tried {
        int number();

        Attempt tried();

        default boolean sustained() {
            return tried().outcome() == Attempt.Outcome.SUSTAINED;
        }
    }

    public TriedNumbers(List<T> earlier) {
        this.trials = new ArrayList<>(earlier);
    }

    public void add(T trial) {
        trials.add(trial);
    }

    public List<T> all() {
        return List.copyOf(trials);
    }

    public int size() {
        return trials.size();
    }

    public boolean isEmpty() {
        return trials.isEmpty();
    }

    public long count(int number, Attempt.Outcome outcome) {
        return trials.stream()
                .filter(trial -> trial.number() == number && trial.tried().outcome() == outcome)
                .count();
    }

    public boolean held(int number) {
        return count(number, Attempt.Outcome.SUSTAINED) > count(number, Attempt.Outcome.REFUSED);
    }

    public boolean refused(int number) {
        return count(number, Attempt.Outcome.REFUSED) >= REFUSALS && !held(number);
    }

    public boolean generatorRefused(int number) {
        return count(number, Attempt.Outcome.OURS) >= REFUSALS && !held(number) && !refused(number);
    }

    public @Nullable Integer least() {
        return trials.stream()
                .map(Tried::number)
                .filter(this::held)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** The largest refused number below {@code least}, or of all numbers if that is null; zero without one. */
    public int refusedBelow(@Nullable Integer least) {
        return trials.stream()
                .mapToInt(Tried::number)
                .filter(this::refused)
                .filter(number -> least == null || number < least)
                .max()
                .orElse(0);
    }

    public String why(int number) {
        String last = last(number);
        return last.isEmpty() ? "" : "with " + number + " " + last;
    }

    private String last(int number) {
        return trials.stream()
                .filter(trial -> trial.number() == number && !trial.sustained())
                .map(trial -> trial.tried().why())
                .reduce((earlier, later) -> later)
                .orElse("");
    }

    public String stopped(int number) {
        if (generatorRefused(number)) {
            return "the generator was the limit in trials with " + number + ": " + last(number);
        }
        return trials.stream().anyMatch(trial -> trial.number() == number)
                ? "the search ended before enough trials with " + number
                : "the search ended before a trial with " + number;
    }

    public String undecided() {
        T last = trials.get(trials.size() - 1);
        return generatorRefused(last.number())
                ? "the generator is the limit, " + why(last.number())
                : "the search ended before enough trials, " + why(last.number());
    }

    public String limitedByGenerator() {
        return trials.stream()
                .map(Tried::number)
                .filter(this::generatorRefused)
                .findFirst()
                .map(this::why)
                .orElse("");
    }
}
