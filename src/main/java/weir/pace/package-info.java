/**
 * When the n-th operation is due. Read {@code Schedule} first.
 * Pure arithmetic: no clock, no threads, no I/O except in {@code Pacer}.
 */
@NullMarked
package weir.pace;

import org.jspecify.annotations.NullMarked;
