/**
 * The runs of experiments over time: what is kept of each when its folder is gone, and what a trend of them says. Read
 * {@link weir.results.history.HistoryEntry} first. It judges nothing.
 */
@NullMarked
package weir.results.history;

import org.jspecify.annotations.NullMarked;
