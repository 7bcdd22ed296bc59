/**
 * The list of runs, and the trend of one experiment over all its runs: {@code weir runs}. Read {@link
 * weir.feature.trend.TrendJudge} first. The package contains the stored summary of a run, the search for changes of
 * level, the gate, and the report. It starts no run.
 */
@NullMarked
package weir.feature.trend;

import org.jspecify.annotations.NullMarked;
