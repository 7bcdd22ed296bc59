package weir.load;

import java.util.List;

/**
 * When a stage and its steps ran.
 *
 * @param stopped whether it was ended from outside
 */
public record PhaseTimes(long startNanos, long endNanos, boolean stopped, List<Step> steps, List<Rest> rests) {
    public PhaseTimes {
        steps = List.copyOf(steps);
        rests = List.copyOf(rests);
    }

    /** Without rests. */
    public PhaseTimes(long startNanos, long endNanos, boolean stopped, List<Step> steps) {
        this(startNanos, endNanos, stopped, steps, List.of());
    }

    /** One step. */
    public record Step(int step, long startNanos, long endNanos, String label) {}

    /**
     * A rest between two steps that was used: up to {@code flushedNanos} it was waited for what was on its way, of which
     * {@code inFlight} messages still were then; after it garbage was collected.
     */
    public record Rest(long startNanos, long flushedNanos, long inFlight, long collectedNanos) {}
}
