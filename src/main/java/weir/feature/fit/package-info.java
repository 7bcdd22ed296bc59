/**
 * Models of the trials: the cost of a transaction, and the scaling of a load. Read {@link weir.feature.fit.FitFeature}
 * first. The package is arithmetic: no clock, no threads, no files.
 */
@NullMarked
package weir.feature.fit;

import org.jspecify.annotations.NullMarked;
