/** The growth rate of a topic: {@code weir monitor}. Read {@code MonitorCommand} first. Weir writes no record. */
@NullMarked
package weir.feature.monitor;

import org.jspecify.annotations.NullMarked;
