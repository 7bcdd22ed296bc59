/**
 * The page of a run that goes on: its report so far, second by second. Read {@code RunPage} first.
 * What it shows is read from the run's folder and from what a listener hears; nothing is judged here.
 */
@NullMarked
package weir.live.page;

import org.jspecify.annotations.NullMarked;
