/**
 * Searches without a file: a capacity, a number of partitions, settings. Read {@link weir.cli.search.CapacityCommand} first.
 * Each command writes an experiment from its flags and runs that.
 */
@NullMarked
package weir.cli.search;

import org.jspecify.annotations.NullMarked;
