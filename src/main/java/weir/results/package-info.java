/**
 * The results of runs, on disk. Read {@link weir.results.RunFolder} first. Files are written while the run goes on and
 * renamed when they are complete, so a killed run keeps its data. The package {@code value} contains the records.
 */
@NullMarked
package weir.results;

import org.jspecify.annotations.NullMarked;
