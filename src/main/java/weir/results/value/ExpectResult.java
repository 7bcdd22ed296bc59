package weir.results.value;

import org.jspecify.annotations.Nullable;

/**
 * The result of one sentence of {@code expect}: passed, failed or undecided. {@code low} and {@code high} are the 95 %
 * interval of a ratio.
 *
 * @param value a latency in milliseconds, an age in seconds, or a share from 0 to 1
 * @param why the reason or the basis of the verdict; may be empty
 */
public record ExpectResult(
        String text,
        String verdict,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable String found,
        @Nullable String why) {
    public static final String PASSED = "passed";
    public static final String FAILED = "failed";
    /** The interval of a ratio contains the limit. The expectation counts as failed. */
    public static final String UNDECIDED = "undecided";

    public boolean passed() {
        return verdict.equals(PASSED);
    }

    public String reason() {
        String first = found == null ? "" : found;
        String second = why == null ? "" : why;
        return first + (first.isEmpty() || second.isEmpty() ? "" : "; ") + second;
    }
}
