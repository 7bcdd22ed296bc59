/**
 * Where a request waits: the parts of the mean response, the stages of requests inside the brokers, over time and in the
 * slowest seconds. Read {@link weir.report.waterfall.WaterfallSection} first; {@link weir.judge.waterfall} has the figures.
 */
@NullMarked
package weir.report.waterfall;

import org.jspecify.annotations.NullMarked;
