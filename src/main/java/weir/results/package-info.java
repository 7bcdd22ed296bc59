/**
 * What happened, on disk. Read {@code RunFolder} first.
 * Plain files, written as they happen and renamed into place when whole.
 */
@NullMarked
package weir.results;

import org.jspecify.annotations.NullMarked;
