/**
 * The values that are stored about a run: figures, verdicts, caveats, the answer. Read {@link
 * weir.results.value.TrialResult} first. This package reads and writes no file. It is the only package with {@code
 * @Nullable} boxes for figures, because the JSON contains null for a missing figure.
 */
@NullMarked
package weir.results.value;

import org.jspecify.annotations.NullMarked;
