/**
 * The runs of experiments over time: the data that outlives the folder of a run, and the trend of many runs. Read
 * {@link weir.results.history.HistoryEntry} first. It judges nothing.
 */
@NullMarked
package weir.results.history;

import org.jspecify.annotations.NullMarked;
