/**
 * The answer of a run: a headline of at most two sentences, its scope, what was lost, and advice. Read
 * {@link weir.judge.answer.Conclusions} first: each kind of question has a class that answers it. Only words are made
 * here, of figures that other rooms found.
 */
@NullMarked
package weir.judge.answer;

import org.jspecify.annotations.NullMarked;
