/** Kafka releases, fetched from Maven repositories and cached. */
@NullMarked
package weir.cluster.release;

import org.jspecify.annotations.NullMarked;
