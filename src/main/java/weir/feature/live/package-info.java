/**
 * The live page of a run, second by second, and the options of watching. Read {@code RunPage} first. The page shows the
 * run folder and the news of a run listener, without a judgement. No thread of a run waits for the page.
 */
@NullMarked
package weir.feature.live;

import org.jspecify.annotations.NullMarked;
