/** {@code weir perf}: Kafka's perf tools with their flags and lines. Read {@link weir.feature.perf.PerfTool} first. */
@NullMarked
package weir.feature.perf;

import org.jspecify.annotations.NullMarked;
