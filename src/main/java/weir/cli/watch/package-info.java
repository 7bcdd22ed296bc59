/**
 * Watching a run from outside while it goes on: the options, and servers beside it. Read {@code WatchOptions} first.
 * A watch knows only what a listener of the run gets.
 */
@NullMarked
package weir.cli.watch;

import org.jspecify.annotations.NullMarked;
