/**
 * The waterfall of a request: how long it was in each stage of client, network and brokers. Read
 * {@link weir.judge.waterfall.TrialWaterfall} first. Means are stacked, because only means add up; percentiles of stages
 * stand beside each other (decision 0039).
 */
@NullMarked
package weir.judge.waterfall;

import org.jspecify.annotations.NullMarked;
