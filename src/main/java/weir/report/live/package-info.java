/**
 * Additions to a report that is open while its run goes on. Read {@code SecondJson} first.
 * Everything else of such a report comes from the folder of the run, as always.
 */
@NullMarked
package weir.report.live;

import org.jspecify.annotations.NullMarked;
