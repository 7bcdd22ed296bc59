package weir.results.value;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.plan.RecordKeys;

/**
 * The cost of the load generator, and its highest rates.
 *
 * @param ceilingPerSecond records per second of this generator into a null target on this machine
 * @param ceilingNote the reason why there is no ceiling, or how the load of the ceiling differs from the trial's load
 * @param alone the result of each step of the pace with a null target; empty if not requested
 * @param workers number of processes of the load, whose CPU and memory are added; null without a load
 */
public record GeneratorResult(
        @Nullable Double cpuNanosPerRecord,
        @Nullable Double rssMiB,
        @Nullable Double ceilingPerSecond,
        @Nullable String ceilingNote,
        List<AloneResult> alone,
        @Nullable Integer workers) {
    public static final GeneratorResult NONE = new GeneratorResult(null, null, null, null, List.of(), null);

    public GeneratorResult {
        alone = List.copyOf(alone);
    }

    public GeneratorResult alone(List<AloneResult> steps) {
        return RecordKeys.with(this, Map.of("alone", steps));
    }

    /** A rate as a share of the ceiling; null without a ceiling. */
    public @Nullable Double used(double perSecond) {
        return ceilingPerSecond == null || ceilingPerSecond <= 0 ? null : perSecond / ceilingPerSecond;
    }

    /**
     * The generator's result at one step of a pace against a null target.
     *
     * @param holds whether the generator sent the due messages on time
     */
    public record AloneResult(
            double rate,
            double seconds,
            @Nullable Double achieved,
            @Nullable Double lateP99,
            boolean holds) {}
}
