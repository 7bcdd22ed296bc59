package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A disturbance of a trial and what it did, in seconds; {@code from} and {@code to} since the trial's first window began.
 *
 * @param to when it was undone; null where it never was
 * @param gap the longest time from its begin on in which nothing was acknowledged or received, in whole windows
 * @param recovered whether all was as before in the end
 * @param recovery from when it was undone, or else from its begin, until all was as before; until the end of the measured
 *     phase where that never was; null where nothing was measured before it, or after it
 */
public record DisturbanceResult(
        String name,
        String what,
        double from,
        @Nullable Double to,
        double gap,
        boolean recovered,
        @Nullable Double recovery) {
    /** 4 s, ≥ 60 s where it took longer than anybody looked. */
    public String recoveryTime() {
        return recovery == null ? NumberFormat.MISSING : (recovered ? "" : "≥ ") + NumberFormat.seconds(recovery);
    }
}
