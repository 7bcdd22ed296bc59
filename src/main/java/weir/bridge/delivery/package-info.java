/**
 * The processes that an event passes on its way from a sender to a receiver: channels in memory and in Kafka, the ingress and
 * the filter of a broker, a source. Read {@code Rung} first.
 */
@NullMarked
package weir.bridge.delivery;

import org.jspecify.annotations.NullMarked;
