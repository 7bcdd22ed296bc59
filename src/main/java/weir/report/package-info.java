/**
 * The report of a run, made from the run folder alone. Read {@code HtmlReport} first.
 * It never uses a running process, so every report can be made again.
 */
@NullMarked
package weir.report;

import org.jspecify.annotations.NullMarked;
