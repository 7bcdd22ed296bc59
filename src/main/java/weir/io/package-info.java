/** Input and output whose failure names the action. Every package may use {@link weir.io.Io}. */
@NullMarked
package weir.io;

import org.jspecify.annotations.NullMarked;
