/**
 * The stored values of a run: figures, verdicts, caveats, the answer. Read {@link weir.results.value.TrialResult}
 * first. The package reads and writes no file. Only this package has {@code @Nullable} boxes for figures, because the
 * JSON contains null for a missing figure.
 */
@NullMarked
package weir.results.value;

import org.jspecify.annotations.NullMarked;
