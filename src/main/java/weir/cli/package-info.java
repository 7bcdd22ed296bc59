/**
 * The command line: one class per command. Read {@code Main} first.
 * Results go to standard output, everything else to standard error.
 */
@NullMarked
package weir.cli;

import org.jspecify.annotations.NullMarked;
