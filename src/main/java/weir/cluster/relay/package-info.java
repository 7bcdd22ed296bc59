/**
 * A TCP relay that delays, stalls or cuts traffic by known amounts, for network disturbances and for tests of
 * measurements.
 */
@NullMarked
package weir.cluster.relay;

import org.jspecify.annotations.NullMarked;
