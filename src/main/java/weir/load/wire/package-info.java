/**
 * The engine with Weir's own code for Kafka's protocol, to measure the capacity of brokers. Read {@code WireEngine}
 * first. One thread owns each sender or receiver and its connections. Calls that wait for a broker run on other
 * threads.
 */
@NullMarked
package weir.load.wire;

import org.jspecify.annotations.NullMarked;
