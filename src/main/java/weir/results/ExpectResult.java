package weir.results;

import org.jspecify.annotations.Nullable;

/** What became of one sentence of {@code expect}; the verdict is held, failed or undecided. */
public record ExpectResult(
        String text,
        String verdict,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high) {}
