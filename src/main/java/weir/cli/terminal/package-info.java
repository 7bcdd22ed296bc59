/** Progress and results on a terminal, and plain lines where there is none. */
@NullMarked
package weir.cli.terminal;

import org.jspecify.annotations.NullMarked;
