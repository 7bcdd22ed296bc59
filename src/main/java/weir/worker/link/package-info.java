/**
 * The connection between a conductor and its processes, here and elsewhere. Read {@code Link} first.
 * Knows frames, streams and time, but neither loads nor the content of frames.
 */
@NullMarked
package weir.worker.link;

import org.jspecify.annotations.NullMarked;
