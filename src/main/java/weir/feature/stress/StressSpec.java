package weir.feature.stress;

import java.time.Duration;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * Processes that use memory, CPU and disk.
 *
 * @param reserve part of the free memory that stays free, even if {@code memory} is larger
 * @param threads for memory and again for disk; without both, threads that compute
 * @param disk bytes that all threads together rewrite
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
