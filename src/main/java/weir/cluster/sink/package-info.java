/**
 * A process that takes records like a broker and keeps nothing but their count. Read {@code SinkMain}.
 * It never reads values, so that it limits no engine.
 */
@NullMarked
package weir.cluster.sink;

import org.jspecify.annotations.NullMarked;
