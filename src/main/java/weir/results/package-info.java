/**
 * The results of runs, on disk. Read {@link weir.results.RunFolder} first. Weir writes files during the run and renames
 * them when they are complete, so a killed run keeps its data. The package {@code value} contains the records.
 */
@NullMarked
package weir.results;

import org.jspecify.annotations.NullMarked;
