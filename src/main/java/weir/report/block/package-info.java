/**
 * The blocks of a report's sections, and their drawing on a page. Read {@link weir.report.block.Block} first. The
 * package converts values to text. It does not depend on runs.
 */
@NullMarked
package weir.report.block;

import org.jspecify.annotations.NullMarked;
