/**
 * The values that are stored about a run: figures, verdicts, caveats, the answer. Read {@link weir.results.value.TrialResult}
 * first. Nothing here reads or writes a file; figures that may be missing are {@code @Nullable} boxes here and only here,
 * because the JSON promises null for them.
 */
@NullMarked
package weir.results.value;

import org.jspecify.annotations.NullMarked;
