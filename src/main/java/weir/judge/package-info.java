/**
 * The judgement of the numbers: a trial's figures, whether a rate was sustained, expectations, and comparisons. Read
 * {@link weir.judge.RateRule} and {@link weir.judge.Comparisons} first. The package reads files and values, never a
 * running process.
 */
@NullMarked
package weir.judge;

import org.jspecify.annotations.NullMarked;
