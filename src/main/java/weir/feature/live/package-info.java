/**
 * The live page of a run, second by second, and the options of watching. Read {@code RunPage} first. It reads the run
 * folder and a listener's news; it judges nothing. No thread of a run waits here.
 */
@NullMarked
package weir.feature.live;

import org.jspecify.annotations.NullMarked;
