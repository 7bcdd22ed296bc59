/**
 * Servers that carry records between HTTP and Kafka. Read {@code Gateway} first. All code that depends on Netty and
 * to Kafka's producer stays in here.
 */
@NullMarked
package weir.bridge;

import org.jspecify.annotations.NullMarked;
