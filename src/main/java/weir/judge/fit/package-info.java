/**
 * The models that an experiment asks for, made of its trials: what a transaction costs, and how a load scales. Read
 * {@link weir.judge.fit.ScalingFits} first.
 */
@NullMarked
package weir.judge.fit;

import org.jspecify.annotations.NullMarked;
