/** The growth rate of a topic: {@code weir monitor}. */
@NullMarked
package weir.feature.monitor;

import org.jspecify.annotations.NullMarked;
