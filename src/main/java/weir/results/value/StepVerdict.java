package weir.results.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a step went, judged by its own trial alone and by the rule of load curves.
 *
 * @param why what kept it from being sustained; empty when it was
 * @param missed the limits that it did not hold, with what was found
 * @param recovery whether it is there to recover: no faster than a step before it
 * @param recoveredAfter seconds after its start from which three seconds in a row were calm; null when none were, or it
 *     is no recovery
 */
public record StepVerdict(
        StepState state,
        String why,
        List<String> missed,
        boolean recovery,
        @Nullable Double recoveredAfter) {
    public StepVerdict {
        missed = List.copyOf(missed);
    }

    /** In words: sustained, broken, or of a recovery also whether there was one. */
    public String text() {
        String word = state.word();
        if (!recovery) {
            return word;
        }
        if (recoveredAfter == null) {
            return word + ", not recovered";
        }
        return word
                + (recoveredAfter == 0
                        ? ", recovered at once"
                        : ", recovered after " + NumberFormat.seconds(recoveredAfter));
    }
}
