/**
 * Shows what happened, from the run folder alone. Read {@code HtmlReport} first.
 * Never sees anything alive, so every report can be made again.
 */
@NullMarked
package weir.report;

import org.jspecify.annotations.NullMarked;
