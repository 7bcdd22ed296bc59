/**
 * The same experiment over many runs: its figures as series, the places at which their level changed, what else changed
 * there, and a gate. Read {@link weir.judge.trend.ChangePoints} and {@link weir.judge.trend.TrendJudge} first.
 */
@NullMarked
package weir.judge.trend;

import org.jspecify.annotations.NullMarked;
