/**
 * Numbers, and how they add up. Read {@code Snapshot} first.
 * The only package that knows HdrHistogram. Anything merged across threads or hosts has one tested {@code plus}.
 */
@NullMarked
package weir.measure;

import org.jspecify.annotations.NullMarked;
