/**
 * The workloads, written once against {@code Sender} and {@code Receiver}.
 * Must not know an engine.
 */
@NullMarked
package weir.load.workload;

import org.jspecify.annotations.NullMarked;
