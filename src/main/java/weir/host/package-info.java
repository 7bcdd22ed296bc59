/**
 * The changes that Weir makes to this machine, all of which it undoes: child processes, limits and disturbances. Read
 * {@code Children} first.
 */
@NullMarked
package weir.host;

import org.jspecify.annotations.NullMarked;
