/** The results of a run in formats of other programs: JUnit XML, GitHub annotations, Knative's CSV files, quantiles. */
@NullMarked
package weir.report.export;

import org.jspecify.annotations.NullMarked;
