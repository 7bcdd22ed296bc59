/**
 * The connection between the process that conducts a run and its other processes, on any machine. Read {@code Link}
 * first. The package deals with frames, streams and time, but neither with loads nor with the content of frames.
 */
@NullMarked
package weir.worker.link;

import org.jspecify.annotations.NullMarked;
