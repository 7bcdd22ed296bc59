/**
 * The judgement of a search over settings: the points that no other point beats, and the effect of each setting by
 * itself. Read {@link weir.judge.tune.TuneJudge} first. Figures come only from trials made after the points were
 * chosen: the trials that chose them would favour lucky points.
 */
@NullMarked
package weir.judge.tune;

import org.jspecify.annotations.NullMarked;
