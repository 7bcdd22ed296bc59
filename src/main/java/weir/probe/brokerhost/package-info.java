/**
 * A machine as one that brokers run on: the settings of its kernel, and the Kafka processes that can be read. Read
 * {@link weir.probe.brokerhost.BrokerHost} first. Nothing is judged here, and nothing that cannot be read is guessed.
 */
@NullMarked
package weir.probe.brokerhost;

import org.jspecify.annotations.NullMarked;
