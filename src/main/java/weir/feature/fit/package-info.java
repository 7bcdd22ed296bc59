/**
 * Models of the trials: the cost of a transaction, and the scaling of a load. Read {@link weir.feature.fit.FitFeature}
 * first. The package only calculates, without clock, threads or files.
 */
@NullMarked
package weir.feature.fit;

import org.jspecify.annotations.NullMarked;
