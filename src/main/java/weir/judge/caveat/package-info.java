/** The reasons to doubt a number, each found by a rule in the files of a trial. Read {@code TrialCaveats} first. */
@NullMarked
package weir.judge.caveat;

import org.jspecify.annotations.NullMarked;
