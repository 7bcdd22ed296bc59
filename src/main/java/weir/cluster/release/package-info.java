/**
 * Released Kafkas, fetched from Maven repositories and kept.
 */
@NullMarked
package weir.cluster.release;

import org.jspecify.annotations.NullMarked;
