/**
 * {@code weir perf}: the flags and output lines of Kafka's own performance tools.
 */
@NullMarked
package weir.cli.perf;

import org.jspecify.annotations.NullMarked;
