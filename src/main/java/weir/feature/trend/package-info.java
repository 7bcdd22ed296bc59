/**
 * The list of runs, and the trend of an experiment over its runs: {@code weir runs}. Read {@link
 * weir.feature.trend.TrendJudge} first. The package starts no run.
 */
@NullMarked
package weir.feature.trend;

import org.jspecify.annotations.NullMarked;
