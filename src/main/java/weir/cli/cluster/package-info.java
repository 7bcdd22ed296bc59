/**
 * {@code weir cluster}: Kafkas that go on until they are stopped, and topics on them.
 */
@NullMarked
package weir.cli.cluster;

import org.jspecify.annotations.NullMarked;
