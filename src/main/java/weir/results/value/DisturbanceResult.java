package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of a trial and what it did, in seconds; {@code from} and {@code to} since the trial's first window began.
 *
 * @param to when it was undone; null where it never was
 * @param gap the longest time from its begin on without an acknowledgement or, with readers, a receipt, in whole windows
 * @param recovery from its end, or its begin if it has no end, until all was as before, or until the end of the measured phase. Null without a measurement before it or a long enough one after it.
 * @param led the partitions of the load that its broker led before it; null where it is about no broker
 * @param takenOver from its begin until others led all that its broker had led; null where that did not happen, or it is about
 *     no broker
 * @param inSync from when it began to be undone until all replicas of its broker were in sync; null as above
 * @param stress its use of the machine; null for other kinds
 */
public record DisturbanceResult(
        String name,
        String what,
        double from,
        @Nullable Double to,
        double gap,
        boolean recovered,
        @Nullable Double recovery,
        @Nullable Integer led,
        @Nullable Double takenOver,
        @Nullable Double inSync,
        @Nullable StressResult stress) {
    /** True when its broker led nothing and nothing stopped; it says nothing about a broker that leads. */
    public boolean missed() {
        return led != null && led == 0 && gap == 0;
    }

    /** Returns text such as 4 s, or ≥ 60 s if the recovery outlasted the measured phase. */
    public String recoveryTime() {
        return recovery == null ? NumberFormat.MISSING : (recovered ? "" : "≥ ") + NumberFormat.seconds(recovery);
    }
}
