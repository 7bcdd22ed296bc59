/**
 * The way between a conductor and its processes, here and elsewhere. Read {@code Link} first.
 * Knows frames, streams, certificates and time; knows neither a load nor what the frames are about.
 */
@NullMarked
package weir.worker.link;

import org.jspecify.annotations.NullMarked;
