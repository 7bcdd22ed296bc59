/**
 * A process that performs assignments. Read {@code Worker} first. A local worker is a child JVM; a remote worker is the
 * same program.
 */
@NullMarked
package weir.worker;

import org.jspecify.annotations.NullMarked;
