/** {@code weir cluster}: Kafka clusters that run until they are stopped, and their topics. */
@NullMarked
package weir.cli.cluster;

import org.jspecify.annotations.NullMarked;
