/**
 * Delivery of events through processes: ingress, channel, filter and source. Each process models a component of
 * eventing platforms. Read {@code EventProcess} first, then {@code LocalEventProcesses}, which starts the processes.
 */
@NullMarked
package weir.feature.delivery;

import org.jspecify.annotations.NullMarked;
