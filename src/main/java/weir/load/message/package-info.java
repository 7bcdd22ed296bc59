/**
 * Messages to and from Kafka, and the sources of their keys and values. Read {@code Message} first. The package has no
 * threads and uses no engine.
 */
@NullMarked
package weir.load.message;

import org.jspecify.annotations.NullMarked;
