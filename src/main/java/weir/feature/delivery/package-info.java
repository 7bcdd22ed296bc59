/**
 * The processes that an event passes on its way: ingress, channel, filter and source. Read {@code EventProcess} first, then {@code
 * LocalEventProcesses}, which starts them. Each is a model of a component of eventing platforms.
 */
@NullMarked
package weir.feature.delivery;

import org.jspecify.annotations.NullMarked;
