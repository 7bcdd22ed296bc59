/**
 * The search for the number of partitions that sustains a rate: {@code weir partitions}. Read {@code PartitionSearch}
 * first. On a cluster that Weir did not start, the search never sends faster than this rate.
 */
@NullMarked
package weir.feature.partitions;

import org.jspecify.annotations.NullMarked;
