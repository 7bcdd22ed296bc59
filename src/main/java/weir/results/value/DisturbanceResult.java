package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of a trial and what it did, in seconds; {@code from} and {@code to} since the trial's first window
 * began.
 *
 * @param to when the disturbance was undone; null if it was never undone
 * @param gap the longest time after its beginning without an acknowledgement or, with readers, a receipt, in whole
 * windows
 * @param recovery the time from the end of the disturbance until the trial had recovered, or until the end of the
 * measured phase. It starts at the beginning if the disturbance has no end. Null if the time measured before or after
 * the disturbance is too short to judge.
 * @param led the number of the load's partitions that the disturbed broker led before; null if no broker is disturbed
 * @param takenOver the time from the beginning until other brokers led all these partitions; null if that did not
 * happen, or if no broker is disturbed
 * @param inSync the time from the beginning of the undoing until all replicas of the broker were in sync; null if that
 * did not happen, or if no broker is disturbed
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
    /**
     * True when the disturbed broker led no partition and the load never stopped. This disturbance says nothing about
     * a broker that leads partitions.
     */
    public boolean missed() {
        return led != null && led == 0 && gap == 0;
    }

    /** Returns text such as 4 s, or ≥ 60 s if the recovery outlasted the measured phase. */
    public String recoveryTime() {
        return recovery == null ? NumberFormat.MISSING : (recovered ? "" : "≥ ") + NumberFormat.seconds(recovery);
    }
}
