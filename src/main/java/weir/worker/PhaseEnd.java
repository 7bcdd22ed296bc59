package weir.worker;

import java.util.List;

/**
 * When a stage and its steps ran. A stage's load goes on until the next stage begins, or until nothing may be sent.
 *
 * @param stopped whether {@link Worker#stop()} ended it
 */
public record PhaseEnd(long startNanos, long endNanos, boolean stopped, List<Step> steps, List<Rest> rests) {
    public PhaseEnd {
        steps = List.copyOf(steps);
        rests = List.copyOf(rests);
    }

    /** One step, by its number in {@code weir.measure}. A step that was never reached is not there. */
    public record Step(int step, long startNanos, long endNanos, String label) {}

    /**
     * A worker's rest between two steps: up to {@code flushedNanos} it waited for what was on its way, of
     * which {@code inFlight} messages still were then; after it garbage was collected.
     */
    public record Rest(long startNanos, long flushedNanos, long inFlight, long collectedNanos) {}
}
