/**
 * Kafka's performance tools with their flags and lines: {@code weir perf}. Read {@link weir.feature.perf.PerfTool}
 * first. No command asks a question, and standard output has only the tool's lines.
 */
@NullMarked
package weir.feature.perf;

import org.jspecify.annotations.NullMarked;
