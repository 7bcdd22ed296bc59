/**
 * Kafka's performance tools with their flags and lines: {@code weir perf}. Read {@link weir.feature.perf.PerfTool}
 * first. It asks no question, and standard output has only the tool's lines.
 */
@NullMarked
package weir.feature.perf;

import org.jspecify.annotations.NullMarked;
