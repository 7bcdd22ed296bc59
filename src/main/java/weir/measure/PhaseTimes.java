package weir.measure;

import java.util.List;

/**
 * The times at which a phase and its steps ran. The load of a phase continues until the next phase begins, or until
 * sending ends.
 *
 * @param stopped true if the phase was ended from outside
 */
public record PhaseTimes(long startNanos, long endNanos, boolean stopped, List<Step> steps, List<Rest> rests) {
    public PhaseTimes {
        steps = List.copyOf(steps);
        rests = List.copyOf(rests);
    }

    /** One step with its number in {@link Steps}. A step that the phase never reached is absent. */
    public record Step(int step, long startNanos, long endNanos, String label) {}

    /**
     * The rest of one worker between two steps: until {@code flushedNanos} it waited for outstanding messages, of
     * which {@code inFlight} were left; then it collected garbage.
     */
    public record Rest(long startNanos, long flushedNanos, long inFlight, long collectedNanos) {}
}
