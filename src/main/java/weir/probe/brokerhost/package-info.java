/**
 * The facts about a machine on which brokers run: the settings of its kernel, and its Kafka processes as far as they
 * can be read. Read {@link weir.probe.brokerhost.BrokerHost} first. This package judges nothing, and guesses no value
 * that cannot be read.
 */
@NullMarked
package weir.probe.brokerhost;

import org.jspecify.annotations.NullMarked;
