/**
 * The choice of the next trial from earlier results. Read {@link weir.search.Search} first. The package has no clock,
 * threads or processes. The same results always lead to the same next trial.
 */
@NullMarked
package weir.search;

import org.jspecify.annotations.NullMarked;
