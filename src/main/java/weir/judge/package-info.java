/**
 * The judgement of the numbers: a trial's figures, whether a rate was sustained, expectations, and
 * comparisons. Read {@link weir.judge.RateRule} and {@link weir.judge.Comparisons} first. Sees files and values, never
 * anything alive.
 */
@NullMarked
package weir.judge;

import org.jspecify.annotations.NullMarked;
