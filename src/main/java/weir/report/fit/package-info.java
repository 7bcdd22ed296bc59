/**
 * The models of a run as they are shown. Read {@link weir.report.fit.ScalingSection} first; it draws what stands in the
 * conclusion and fits nothing.
 */
@NullMarked
package weir.report.fit;

import org.jspecify.annotations.NullMarked;
