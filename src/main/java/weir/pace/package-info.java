/**
 * The due time of the n-th operation. Read {@code Schedule} first. Pure arithmetic without clock, threads and I/O,
 * except in {@code Pacer} and for a file of replayed rates.
 */
@NullMarked
package weir.pace;

import org.jspecify.annotations.NullMarked;
