/**
 * A run as it happens, over HTTP: its page and its metrics. Read {@code LiveServer} and {@code EventStream} first.
 * No thread of a run waits here: whoever reads too slowly is left behind, and then dropped.
 */
@NullMarked
package weir.live;

import org.jspecify.annotations.NullMarked;
