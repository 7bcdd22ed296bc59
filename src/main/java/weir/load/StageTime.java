package weir.load;

import java.util.List;

/**
 * When a stage and its steps ran.
 *
 * @param stopped whether it was ended from outside
 */
public record StageTime(long startNanos, long endNanos, boolean stopped, List<Step> steps) {
    public StageTime {
        steps = List.copyOf(steps);
    }

    /** One step. */
    public record Step(int step, long startNanos, long endNanos, String label) {}
}
