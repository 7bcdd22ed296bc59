package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A stress of the machine: the amounts that it was to take and took, and the machine's readings of it. Null means not
 * observed, or not asked for.
 *
 * @param memory in MiB: the most that its processes held at once
 * @param disk in MiB: what was to be written again and again, and what was written
 * @param cores the mean; asked for where it was to compute only
 */
public record StressResult(
        Taken memory, Taken disk, Taken cores, Effect memoryPressure, Effect diskBusy, Effect majorFaults) {
    private static final double MIB_PER_GIB = 1024;

    public record Taken(@Nullable Double asked, @Nullable Double taken) {
        /** True when an amount was asked for and less than this share of it was taken. */
        public boolean missed(double share) {
            return asked != null && asked > 0 && (taken == null || taken < share * asked);
        }
    }

    /** A reading of the machine as means, before and during the stress. */
    public record Effect(@Nullable Double before, @Nullable Double during) {}

    /** Returns text such as 512 MiB or 20.9 GiB. */
    public static String size(double mebibytes) {
        return mebibytes < MIB_PER_GIB
                ? NumberFormat.number(mebibytes) + " MiB"
                : NumberFormat.number(mebibytes / MIB_PER_GIB) + " GiB";
    }
}
