/**
 * When the n-th operation is due. Read {@code Schedule} first.
 * Pure arithmetic: no clock, no threads, no I/O except in {@code Pacer}, and for a file of replayed rates.
 */
@NullMarked
package weir.pace;

import org.jspecify.annotations.NullMarked;
