/**
 * The live page of a run, second by second, and the options that open it. Read {@code RunPage} first. The page shows
 * the run folder and the news of a run listener, and judges nothing. No thread of a run waits for the page.
 */
@NullMarked
package weir.feature.live;

import org.jspecify.annotations.NullMarked;
