/**
 * CloudEvents 1.0 as HTTP and Kafka carry them, in binary and in structured mode. Read {@link
 * weir.event.EventAttributes} first. Bytes and texts only: no connection, no thread, no client.
 */
@NullMarked
package weir.event;

import org.jspecify.annotations.NullMarked;
