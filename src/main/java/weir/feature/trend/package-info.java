/**
 * {@code weir runs}: the list of runs, and one experiment over all of them: what is kept of a run, where a level
 * changed, the gate and its report. Read {@link weir.feature.trend.TrendJudge} first.
 */
@NullMarked
package weir.feature.trend;

import org.jspecify.annotations.NullMarked;
