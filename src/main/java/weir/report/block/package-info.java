/**
 * The blocks that form the sections of a report, and their drawing on a page. Read {@link weir.report.block.Block}
 * first. Pure: values in, text out; nothing here knows what a run is.
 */
@NullMarked
package weir.report.block;

import org.jspecify.annotations.NullMarked;
