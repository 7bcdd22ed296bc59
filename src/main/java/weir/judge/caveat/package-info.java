/**
 * The reasons to doubt a number, each found by a rule from what a trial left behind. Read {@code TrialCaveats} first.
 */
@NullMarked
package weir.judge.caveat;

import org.jspecify.annotations.NullMarked;
