package weir.results;

import org.jspecify.annotations.Nullable;

/** What the measuring itself cost. */
public record GeneratorResult(
        @Nullable Double cpuNanosPerRecord, @Nullable Double rssMiB) {
    public static final GeneratorResult NONE = new GeneratorResult(null, null);
}
