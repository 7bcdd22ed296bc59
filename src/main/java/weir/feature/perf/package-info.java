/**
 * The commands {@code weir perf}, with the flags and lines of Kafka's performance tools. Read {@link
 * weir.feature.perf.PerfTool} first. The commands ask no question, and standard output has only the tool's lines.
 */
@NullMarked
package weir.feature.perf;

import org.jspecify.annotations.NullMarked;
