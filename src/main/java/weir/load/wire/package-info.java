/**
 * The engine that speaks Kafka's protocol itself, to measure the capacity of brokers. Read {@code WireEngine} first.
 * Each sender and each receiver is one thread that owns its connections; calls that wait for a broker run on other threads.
 */
@NullMarked
package weir.load.wire;

import org.jspecify.annotations.NullMarked;
