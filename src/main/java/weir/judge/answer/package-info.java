/**
 * The answer of a run: a headline of at most two sentences, its scope, the losses, and advice. Read {@link
 * weir.judge.answer.Conclusions} first: each kind of question has a class that answers it. The package computes no
 * figures.
 */
@NullMarked
package weir.judge.answer;

import org.jspecify.annotations.NullMarked;
