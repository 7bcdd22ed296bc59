/**
 * The judgement of a search over settings: the points that no other one beats, and the effect of each setting by itself. Read
 * {@link weir.judge.tune.TuneJudge} first. Only trials that were made after the points were chosen give figures: of those
 * that chose them the luckiest would win.
 */
@NullMarked
package weir.judge.tune;

import org.jspecify.annotations.NullMarked;
