/**
 * A machine that runs brokers: its kernel settings, and its Kafka processes that Weir may read. Read {@link
 * weir.probe.brokerhost.BrokerHost} first. The package only collects facts.
 */
@NullMarked
package weir.probe.brokerhost;

import org.jspecify.annotations.NullMarked;
