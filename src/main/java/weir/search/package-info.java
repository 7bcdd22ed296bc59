/**
 * The choice of what to try next, from what was seen. Read {@link weir.search.Search} first.
 * Pure: no clock, no threads, no processes; what was told always leads to the same next trial.
 */
@NullMarked
package weir.search;

import org.jspecify.annotations.NullMarked;
