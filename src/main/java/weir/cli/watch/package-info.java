/**
 * Watching a run from outside while it goes on: the options, and servers beside it. Read {@code WatchOptions} first.
 * Knows nothing of how a run is conducted: a watch hears what a listener hears.
 */
@NullMarked
package weir.cli.watch;

import org.jspecify.annotations.NullMarked;
