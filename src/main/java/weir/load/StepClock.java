package weir.load;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Steps;

/**
 * Tells to which step a due time belongs, the same way to those who send and those who receive. Steps begin in order; one
 * thread begins them, any thread asks.
 */
public final class StepClock {
    private volatile List<Beginning> beginnings = List.of(new Beginning(Steps.FILL, Long.MIN_VALUE));

    private record Beginning(int step, long nanos) {}

    public void begin(int step, long nanos) {
        Beginning last = beginnings.get(beginnings.size() - 1);
        if (step <= last.step || nanos < last.nanos) {
            throw new IllegalArgumentException("step " + step + " cannot begin before step " + last.step);
        }
        List<Beginning> longer = new ArrayList<>(beginnings);
        longer.add(new Beginning(step, nanos));
        beginnings = List.copyOf(longer);
    }

    /** Messages mostly belong to the last steps, so it looks from the end. */
    public int stepAt(long dueNanos) {
        List<Beginning> now = beginnings;
        int i = now.size() - 1;
        while (i > 0 && dueNanos < now.get(i).nanos) {
            i--;
        }
        return now.get(i).step;
    }
}
