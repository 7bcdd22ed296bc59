/**
 * All changes to this machine: child processes, shields and disturbances. Read {@code Children} first.
 * It undoes every change.
 */
@NullMarked
package weir.host;

import org.jspecify.annotations.NullMarked;
