/**
 * Blocks, of which sections are made, and how a page draws them. Read {@link weir.report.block.Block} first.
 * Pure: values in, text out; nothing here knows what a run is.
 */
@NullMarked
package weir.report.block;

import org.jspecify.annotations.NullMarked;
