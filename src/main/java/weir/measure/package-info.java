/**
 * The numbers that a load records, and their sums over threads and machines. Read {@code Snapshot} first. No other
 * package uses HdrHistogram. A type that is merged across threads or hosts has one method {@code plus}.
 */
@NullMarked
package weir.measure;

import org.jspecify.annotations.NullMarked;
