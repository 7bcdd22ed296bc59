/**
 * The models that are fitted to the trials: the cost of a transaction, and how a load scales. Read
 * {@link weir.feature.fit.FitFeature} first.
 */
@NullMarked
package weir.feature.fit;

import org.jspecify.annotations.NullMarked;
