/**
 * The due time of the n-th operation. Read {@code Schedule} first. The package computes without clocks, threads and
 * I/O, except for {@code Pacer} and for files of replayed rates.
 */
@NullMarked
package weir.pace;

import org.jspecify.annotations.NullMarked;
