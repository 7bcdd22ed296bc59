/**
 * The numbers that a load records, and their sums over threads and machines. Read {@code Snapshot} first. No other
 * package uses HdrHistogram. Each type that is merged across threads or hosts has one tested {@code plus}.
 */
@NullMarked
package weir.measure;

import org.jspecify.annotations.NullMarked;
