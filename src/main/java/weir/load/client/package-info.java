/** The engine that uses Kafka's Java clients, as applications do. Read {@code ClientEngine} first. */
@NullMarked
package weir.load.client;

import org.jspecify.annotations.NullMarked;
