/**
 * The engine that speaks Kafka's protocol itself. What the brokers can take. Read {@code WireEngine} first.
 * Each sender and each receiver is one thread that owns its connections; what must wait for a broker waits elsewhere.
 */
@NullMarked
package weir.load.wire;

import org.jspecify.annotations.NullMarked;
