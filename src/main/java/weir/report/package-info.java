/**
 * The report of a run, made only from the run folder. Read {@code HtmlReport} first. The package never uses a running
 * process, so that Weir can repeat every report.
 */
@NullMarked
package weir.report;

import org.jspecify.annotations.NullMarked;
