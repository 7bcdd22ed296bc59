package weir.judge;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** A description of a trial's failed operations: number, errors, time to failure, and the response of the others. */
public final class FailedOperations {
    private static final int MOST_REASONS = 3;

    private FailedOperations() {}

    /** Empty without failures. Example: 487 of 500 failed after 2.10 ms (p50) with HTTP 503: 487; … */
    public static String sentence(TrialResult trial) {
        Figures figures = trial.figures();
        List<String> parts = new ArrayList<>();
        long failed = figures.orZero(Count.FAILED);
        if (failed > 0) {
            LatencyResult after = figures.failures();
            String reasons = reasons(trial);
            parts.add(NumberFormat.count(failed) + " failed"
                    + (after.p50() == null ? "" : " after " + NumberFormat.latency(after, 50) + " (p50)")
                    + (reasons.isEmpty() ? "" : " with " + reasons));
        }
        add(parts, figures.orZero(Count.UNRESOLVED), "were never answered");
        add(parts, figures.orZero(Count.UNSENT), "were never sent");
        if (parts.isEmpty()) {
            return "";
        }
        LatencyResult success = figures.successes();
        String others = success.count() == 0
                ? ""
                : "; response of the other messages is " + NumberFormat.latency(success, 50) + " at p50 and "
                        + NumberFormat.latency(success, 99) + " at p99";
        return "Of " + NumberFormat.count(figures.count(Count.DUE)) + " due, " + NumberFormat.listed(parts) + others;
    }

    /** Adds such as "12 lost" for a known count above zero. */
    public static void add(List<String> parts, @Nullable Long count, String what) {
        if (count != null && count > 0) {
            parts.add(NumberFormat.count(count) + " " + what);
        }
    }

    /** The most frequent reasons and counts, like RecordTooLarge: 100 (max.request.size); empty without failures. */
    public static String reasons(TrialResult trial) {
        List<TrialResult.Failure> all = trial.failures();
        if (trial.figures().orZero(Count.FAILED) == 0 || all.isEmpty()) {
            return "";
        }
        int more = all.size() - MOST_REASONS;
        List<String> shown = new ArrayList<>(
                all.stream().limit(MOST_REASONS).map(TrialResult.Failure::text).toList());
        if (more > 0) {
            shown.add(more + (more > 1 ? " other reasons" : " other reason"));
        }
        return NumberFormat.listed(shown);
    }
}
