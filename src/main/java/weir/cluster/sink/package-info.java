/**
 * A process that accepts records like a broker but only counts them. Read {@code SinkMain}. It never reads values, so
 * that it is faster than any engine that sends to it.
 */
@NullMarked
package weir.cluster.sink;

import org.jspecify.annotations.NullMarked;
