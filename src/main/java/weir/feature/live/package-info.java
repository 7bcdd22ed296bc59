/**
 * A run as it happens: its report so far, second by second, and the options of watching. Read {@code RunPage} first.
 * It reads the folder of the run and the news of a listener; it judges nothing. No thread of a run waits here.
 */
@NullMarked
package weir.feature.live;

import org.jspecify.annotations.NullMarked;
