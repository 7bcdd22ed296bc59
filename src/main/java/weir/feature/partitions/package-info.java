/**
 * The search for the number of partitions that carries a rate: {@code weir partitions}. Read {@code PartitionSearch} first.
 * On a cluster that Weir did not start, it never sends faster than the rate.
 */
@NullMarked
package weir.feature.partitions;

import org.jspecify.annotations.NullMarked;
