/**
 * The stages of requests: per step, over time, and in the slowest seconds. Read {@link
 * weir.feature.waterfall.TrialWaterfall} first. Charts stack means, because only means can be summed. Percentiles of
 * stages are shown side by side (decision 0039).
 */
@NullMarked
package weir.feature.waterfall;

import org.jspecify.annotations.NullMarked;
