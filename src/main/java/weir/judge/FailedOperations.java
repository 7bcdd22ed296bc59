package weir.judge;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Count;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Says what failed in a trial, with which answer and after what time, and how long the rest took. */
public final class FailedOperations {
    private static final int LONGEST_REASON = 60;

    private FailedOperations() {}

    /** Empty where everything succeeded: 487 of 500 failed after 2.10 ms (p50) with "HTTP 503"; the 13 that succeeded … */
    public static String sentence(TrialResult trial) {
        Figures figures = trial.figures();
        List<String> parts = new ArrayList<>();
        long failed = figures.orZero(Count.FAILED);
        if (failed > 0) {
            LatencyResult after = figures.failures();
            parts.add(NumberFormat.count(failed) + " failed"
                    + (after.p50() == null ? "" : " after " + NumberFormat.latency(after, 50) + " (p50)")
                    + reason(trial));
        }
        add(parts, figures.orZero(Count.UNRESOLVED), "were never answered");
        add(parts, figures.orZero(Count.UNSENT), "were never sent");
        return parts.isEmpty()
                ? ""
                : "Of " + NumberFormat.count(figures.count(Count.DUE)) + " due, " + NumberFormat.listed(parts)
                        + succeeded(figures);
    }

    private static void add(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(NumberFormat.count(count) + " " + what);
        }
    }

    private static String reason(TrialResult trial) {
        if (trial.failures().isEmpty()) {
            return "";
        }
        String first = trial.failures().get(0);
        String cut = first.length() > LONGEST_REASON ? first.substring(0, LONGEST_REASON) + "…" : first;
        int more = trial.failures().size() - 1;
        return " with “" + cut + "”"
                + (more > 0 ? " and " + more + (more > 1 ? " other reasons" : " other reason") : "");
    }

    private static String succeeded(Figures figures) {
        LatencyResult success = figures.successes();
        return success.count() == 0
                ? ""
                : "; response of what succeeded is " + NumberFormat.latency(success, 50) + " at p50 and "
                        + NumberFormat.percentile(success, 99) + " at p99";
    }
}
