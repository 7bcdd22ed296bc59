/**
 * The results of runs, on disk. Read {@link weir.results.RunFolder} first.
 * Plain files, written as they happen and renamed into place when whole: a killed run keeps what it had.
 * The values themselves are in {@code value}.
 */
@NullMarked
package weir.results;

import org.jspecify.annotations.NullMarked;
