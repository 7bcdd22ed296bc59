/**
 * Models that are fitted to the figures of trials, with intervals that hold the truth. Read
 * {@link weir.measure.fit.CostFit} first. Pure arithmetic: it knows no trial and no experiment.
 */
@NullMarked
package weir.measure.fit;

import org.jspecify.annotations.NullMarked;
