package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of a trial and what it did, in seconds; {@code from} and {@code to} since the trial's first window began.
 *
 * @param to when it was undone; null where it never was
 * @param gap the longest time from its begin on in which nothing was acknowledged or, with readers, received, in whole windows
 * @param recovery from when it was undone, or else from its begin, until all was as before; until the end of the measured
 *     phase where that never was; null where nothing was measured before it, or too little after it
 * @param led the partitions of the load that its broker led before it; null where it is about no broker
 * @param takenOver from its begin until others led all that its broker had led; null where that did not happen, or it is about
 *     no broker
 * @param inSync from when it began to be undone until all replicas of its broker were in sync; null as above
 * @param stress what it took of the machine; null where it is none
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

    /** Such as 4 s, or ≥ 60 s if the recovery outlasted the measured phase. */
    public String recoveryTime() {
        return recovery == null ? NumberFormat.MISSING : (recovered ? "" : "≥ ") + NumberFormat.seconds(recovery);
    }
}
