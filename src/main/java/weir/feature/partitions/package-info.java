/** The number of partitions that carries a rate: {@code weir partitions}. */
@NullMarked
package weir.feature.partitions;

import org.jspecify.annotations.NullMarked;
