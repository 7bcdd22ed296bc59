/**
 * Servers that carry records between HTTP and Kafka. Read {@code Gateway} first. Everything that is particular to Netty and
 * to Kafka's producer stays in here.
 */
@NullMarked
package weir.bridge;

import org.jspecify.annotations.NullMarked;
