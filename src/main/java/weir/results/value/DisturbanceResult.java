package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of a trial and its effect, in seconds. {@code from} and {@code to} count from the trial's first window.
 *
 * @param to the end of the disturbance; null without an end
 * @param gap the longest time after its start without an acknowledgement or, with readers, an arrival, in whole windows
 * @param recovery from its end, or from its start without an end, until all was as before, or until the end of the
 *     measured phase. Null if the measurement before or after it is too short.
 * @param led the partitions of the load that its broker led before it; null without a broker
 * @param takenOver from its start until others led all these partitions; null without a takeover or a broker
 * @param inSync from the start of its undoing until all replicas of its broker were in sync; null as above
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
    /** True if its broker led nothing and nothing stopped. The result does not apply to a leading broker. */
    public boolean missed() {
        return led != null && led == 0 && gap == 0;
    }

    /** Returns text such as 4 s, or ≥ 60 s if the recovery was longer than the measured phase. */
    public String recoveryTime() {
        return recovery == null ? NumberFormat.MISSING : (recovered ? "" : "≥ ") + NumberFormat.seconds(recovery);
    }
}
