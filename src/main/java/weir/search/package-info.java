/**
 * The choice of what to try next, from what was seen. Read {@link weir.search.Search} first.
 * Pure: no clock, no threads, no I/O; the same tries always lead to the same next one.
 */
@NullMarked
package weir.search;

import org.jspecify.annotations.NullMarked;
