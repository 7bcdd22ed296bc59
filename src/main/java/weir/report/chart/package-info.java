/**
 * Charts, tables and markup as the page draws them. Read {@code Plot} first.
 * Pure: values in, text out; nothing here knows what a run is.
 */
@NullMarked
package weir.report.chart;

import org.jspecify.annotations.NullMarked;
