package weir.measure;

import java.util.List;

/**
 * The times of a phase and its steps. The load of a phase continues until the next phase begins, or until sending ends.
 *
 * @param stopped true if the phase was ended from outside
 */
public record PhaseTimes(long startNanos, long endNanos, boolean stopped, List<Step> steps, List<Rest> rests) {
    public PhaseTimes {
        steps = List.copyOf(steps);
        rests = List.copyOf(rests);
    }

    public record Step(int step, long startNanos, long endNanos, String label) {}

    /**
     * The pause of one worker between two steps. Until {@code flushedNanos} it waited for messages, of which {@code
     * inFlight} stayed in flight. Then it collected garbage.
     */
    public record Rest(long startNanos, long flushedNanos, long inFlight, long collectedNanos) {}
}
