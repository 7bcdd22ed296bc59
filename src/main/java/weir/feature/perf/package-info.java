/**
 * Replacements for Kafka's performance tools, with the same flags and output lines: {@code weir perf}. Read {@link
 * weir.feature.perf.PerfTool} first. The commands never ask a question, and standard output has only the lines of the
 * tool.
 */
@NullMarked
package weir.feature.perf;

import org.jspecify.annotations.NullMarked;
