/**
 * The list of runs, and one experiment over all of them: {@code weir runs}. Read {@link weir.feature.trend.TrendJudge}
 * first. The package has the summary of a run, the changes of a level, the gate and its report; it starts no run.
 */
@NullMarked
package weir.feature.trend;

import org.jspecify.annotations.NullMarked;
