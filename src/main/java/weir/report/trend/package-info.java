/**
 * One experiment over many runs, for a terminal and as a page. Read {@link weir.report.trend.TrendReport} first. It judges
 * nothing.
 */
@NullMarked
package weir.report.trend;

import org.jspecify.annotations.NullMarked;
