/**
 * A machine that runs brokers: the settings of its kernel, and its readable Kafka processes. Read {@link
 * weir.probe.brokerhost.BrokerHost} first. The package judges nothing and guesses nothing.
 */
@NullMarked
package weir.probe.brokerhost;

import org.jspecify.annotations.NullMarked;
