/** The formats of other programs for a run: JUnit XML, GitHub annotations, Knative's CSV files, quantiles. */
@NullMarked
package weir.report.export;

import org.jspecify.annotations.NullMarked;
