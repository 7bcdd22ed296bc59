package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of a trial and its effect, in seconds. {@code from} and {@code to} count from the trial's first window.
 *
 * @param to the end of the disturbance; null without an end
 * @param gap the longest time from the start on in which a partition gave no ack although a producer waited, or with
 *     readers no message. Without known partitions: in whole windows, of all messages
 * @param recovery the time from {@code to} (or {@code from}) until all was as before or the measured phase ended; null
 *     if the measurement before or after the disturbance is too short
 * @param led number of the load's partitions that the disturbed broker led before; null without a broker
 * @param takenOver the time from the start until other brokers led all these partitions; null if this never happened
 * @param inSync the time from {@code to} until all replicas of the broker were in sync; null if this never happened
 * @param stress the use of the machine by a stress; null for other disturbances
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
        return led != null && led == 0 && gap < 1;
    }

    /** Returns text such as 4 s, or ≥ 60 s if the recovery was longer than the measured phase. */
    public String recoveryTime() {
        return recovery == null ? NumberFormat.MISSING : (recovered ? "" : "≥ ") + NumberFormat.seconds(recovery);
    }
}
