package weir.results;

import org.jspecify.annotations.Nullable;

/**
 * What the measuring itself cost, and how much of it there is.
 *
 * @param ceilingPerSecond records that this generator sends on this machine when nothing holds it back: against a null target
 * @param ceilingNote why there is no ceiling, or what of it is different from the trial
 */
public record GeneratorResult(
        @Nullable Double cpuNanosPerRecord,
        @Nullable Double rssMiB,
        @Nullable Double ceilingPerSecond,
        @Nullable String ceilingNote) {
    public static final GeneratorResult NONE = new GeneratorResult(null, null, null, null);

    /** The share of the ceiling that a rate is; null where there is none. */
    public @Nullable Double used(double perSecond) {
        return ceilingPerSecond == null || ceilingPerSecond <= 0 ? null : perSecond / ceilingPerSecond;
    }
}
