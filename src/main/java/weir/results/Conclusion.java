package weir.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer in one sentence, what it is an answer about, and what to do.
 *
 * @param breakingPoints where those variants break of which it was asked
 */
public record Conclusion(
        String answer,
        String scope,
        List<String> losses,
        List<String> advice,
        List<BreakingPointResult> breakingPoints) {
    public Conclusion {
        losses = List.copyOf(losses);
        advice = List.copyOf(advice);
        breakingPoints = List.copyOf(breakingPoints);
    }

    /** Where no search was asked for. */
    public Conclusion(String answer, String scope, List<String> losses, List<String> advice) {
        this(answer, scope, losses, advice, List.of());
    }

    /** The first of them. */
    public @Nullable BreakingPointResult breakingPoint() {
        return breakingPoints.isEmpty() ? null : breakingPoints.get(0);
    }
}
