/**
 * Messages to and from Kafka, and the sources of their keys and values. Read {@code Message} first.
 * Values only: no threads, no engine.
 */
@NullMarked
package weir.load.message;

import org.jspecify.annotations.NullMarked;
