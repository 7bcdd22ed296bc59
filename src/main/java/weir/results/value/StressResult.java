package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A stress of the machine: what it was to take and what it took, and what the machine said of it. Null is what nobody
 * saw, or what was not asked for.
 *
 * @param memory in MiB: the most that its processes held at once
 * @param disk in MiB: what was to be written again and again, and what was written
 * @param cores the mean; asked for where it was to compute only
 */
public record StressResult(
        Taken memory, Taken disk, Taken cores, Effect memoryPressure, Effect diskBusy, Effect majorFaults) {
    private static final double MIB_PER_GIB = 1024;

    /** An amount, as asked for and as taken. */
    public record Taken(@Nullable Double asked, @Nullable Double taken) {
        /** True when it was to take something and took less than this share of it. */
        public boolean missed(double share) {
            return asked != null && asked > 0 && (taken == null || taken < share * asked);
        }
    }

    /** A reading of the machine, the mean of before and of the time of the stress. */
    public record Effect(@Nullable Double before, @Nullable Double during) {}

    /** 512 MiB, 20.9 GiB. */
    public static String size(double mebibytes) {
        return mebibytes < MIB_PER_GIB
                ? NumberFormat.number(mebibytes) + " MiB"
                : NumberFormat.number(mebibytes / MIB_PER_GIB) + " GiB";
    }
}
