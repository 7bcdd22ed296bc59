/**
 * The stages of a request: per step, over time, and in the slowest seconds. Read
 * {@link weir.feature.waterfall.TrialWaterfall} first. Means are stacked, because only means add up; percentiles of stages
 * are shown beside each other (decision 0039).
 */
@NullMarked
package weir.feature.waterfall;

import org.jspecify.annotations.NullMarked;
