/**
 * Looks at hosts, brokers and ourselves, and never touches. Read {@code Probe} first.
 */
@NullMarked
package weir.probe;

import org.jspecify.annotations.NullMarked;
