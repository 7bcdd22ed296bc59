/**
 * A run as it happens, over HTTP: its page and its metrics. Read {@code LiveServer} and {@code EventStream} first.
 * No thread of a run waits here: a client that reads too slowly is dropped.
 */
@NullMarked
package weir.live;

import org.jspecify.annotations.NullMarked;
