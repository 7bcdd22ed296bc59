/**
 * The page of a run that goes on: its report so far, second by second. Read {@code RunPage} first.
 * The package reads the folder of the run and the news of a listener; it judges nothing.
 */
@NullMarked
package weir.live.page;

import org.jspecify.annotations.NullMarked;
