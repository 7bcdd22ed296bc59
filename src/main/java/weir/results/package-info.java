/**
 * The results of runs, on disk. Read {@link weir.results.RunFolder} first.
 * Plain files, written as they happen and renamed into place when whole: a killed run keeps what it had.
 * Figures that may be missing are {@code @Nullable} boxes here and only here, because the JSON promises null for them.
 */
@NullMarked
package weir.results;

import org.jspecify.annotations.NullMarked;
