package weir.feature.stress;

import java.time.Duration;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * The settings of processes that use memory, CPU and disk.
 *
 * @param reserve part of the free memory that stays free, even if {@code memory} requests more
 * @param threads number of threads for each of memory and disk; without memory and disk, number of computing threads
 * @param disk bytes that all threads together write repeatedly
 */
public record StressSpec(
        Duration at,
        Duration length,
        Amount memory,
        ByteSize reserve,
        int threads,
        ByteSize disk,
        Limits within,
        PlacedSpec placed)
        implements DisturbanceSpec.BesideBrokers {
    @Override
    public String processes() {
        return "stress";
    }
}
