/**
 * The choice of the next trial from earlier results. Read {@link weir.search.Search} first.
 * Pure: no clock, no threads, no processes; the same results always lead to the same next trial.
 */
@NullMarked
package weir.search;

import org.jspecify.annotations.NullMarked;
