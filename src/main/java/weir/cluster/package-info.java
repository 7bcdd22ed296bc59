/**
 * A Kafka cluster under test, available until it is closed. Read {@code Cluster} first.
 * Starts, stops, kills and pauses brokers; never loads or measures them.
 */
@NullMarked
package weir.cluster;

import org.jspecify.annotations.NullMarked;
