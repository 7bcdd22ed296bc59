/**
 * CloudEvents 1.0 as HTTP and Kafka carry them, in binary and in structured mode. Read {@link
 * weir.event.EventAttributes} first. The package has no connections, threads or clients.
 */
@NullMarked
package weir.event;

import org.jspecify.annotations.NullMarked;
