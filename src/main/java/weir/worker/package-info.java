/**
 * The processes that perform assignments. Read {@code Worker} first. A local worker is a child JVM. A remote worker
 * runs the same program on another host.
 */
@NullMarked
package weir.worker;

import org.jspecify.annotations.NullMarked;
