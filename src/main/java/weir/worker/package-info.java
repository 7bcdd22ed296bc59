/**
 * A process that carries out assignments. Read {@code Worker} first.
 * A local worker is a child JVM; a remote one is the same program.
 */
@NullMarked
package weir.worker;

import org.jspecify.annotations.NullMarked;
