/**
 * A Kafka cluster under test, available until it is closed. Read {@code Cluster} first. The package starts, stops,
 * kills and pauses brokers. It puts no load on them and measures nothing.
 */
@NullMarked
package weir.cluster;

import org.jspecify.annotations.NullMarked;
