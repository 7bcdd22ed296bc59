/**
 * A process that takes records like a broker and keeps nothing but their count. Read {@code SinkMain}.
 * Fast enough not to be the limit of any engine: values are never looked at.
 */
@NullMarked
package weir.cluster.sink;

import org.jspecify.annotations.NullMarked;
