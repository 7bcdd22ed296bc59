/**
 * The links between the process that conducts a run and its other processes, on any machine. Read {@code Link} first.
 * The package handles frames, time limits and clock differences, but neither loads nor the content of frames.
 */
@NullMarked
package weir.worker.link;

import org.jspecify.annotations.NullMarked;
