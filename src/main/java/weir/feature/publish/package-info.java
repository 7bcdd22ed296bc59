/**
 * Results that other people can check: {@code weir publish} and {@code weir verify}. Read {@code Verification} first. It
 * computes no figure itself: {@link weir.run.RunJudge} judges the published files again.
 */
@NullMarked
package weir.feature.publish;

import org.jspecify.annotations.NullMarked;
