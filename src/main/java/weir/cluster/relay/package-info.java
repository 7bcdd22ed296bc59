/** A TCP relay that delays, stalls or cuts traffic, for tests that need a known truth. */
@NullMarked
package weir.cluster.relay;

import org.jspecify.annotations.NullMarked;
