package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * A stress of the machine: the requested and used resources, and the effect on the machine's readings. A value is null
 * if it is unknown or was not requested.
 *
 * @param memory MiB; the used memory is the maximum during the stress
 * @param disk MiB to write repeatedly, and MiB written
 * @param cores the mean number of cores; requested only for a stress that computes
 */
public record StressResult(
        Taken memory, Taken disk, Taken cores, Effect memoryPressure, Effect diskBusy, Effect majorFaults) {
    private static final double MIB_PER_GIB = 1024;

    public record Taken(@Nullable Double asked, @Nullable Double taken) {
        /** True if an amount was requested and less than this share of it was used. */
        public boolean missed(double share) {
            return asked != null && asked > 0 && (taken == null || taken < share * asked);
        }
    }

    /** The mean of a reading of the machine before and during the stress. */
    public record Effect(@Nullable Double before, @Nullable Double during) {}

    /** Returns text such as 512 MiB or 20.9 GiB. */
    public static String size(double mebibytes) {
        return mebibytes < MIB_PER_GIB
                ? NumberFormat.number(mebibytes) + " MiB"
                : NumberFormat.number(mebibytes / MIB_PER_GIB) + " GiB";
    }
}
