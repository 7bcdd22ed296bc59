/**
 * The judgement of one trial by its folder alone: its figures, the verdicts on its steps, and its caveats. Read {@link
 * weir.judge.trial.JudgedTrial} first.
 */
@NullMarked
package weir.judge.trial;

import org.jspecify.annotations.NullMarked;
