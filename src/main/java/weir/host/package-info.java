/**
 * Owns what we do to this machine: child processes, shields and disturbances. Read {@code Children} first.
 * Whatever it does, it undoes.
 */
@NullMarked
package weir.host;

import org.jspecify.annotations.NullMarked;
