/**
 * The judgement of the numbers: a trial's figures, whether a rate was sustained, expectations, comparisons, fits and
 * the answer. Read {@link weir.judge.RateRule} and {@link weir.judge.Conclusions} first. Sees files and values, never
 * anything alive.
 */
@NullMarked
package weir.judge;

import org.jspecify.annotations.NullMarked;
