package weir.load.send;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Steps;

/** The step of each due time, for senders and receivers. One thread begins the steps in order; any thread may read. */
public final class StepClock {
    public static final int NONE = -1;

    private volatile List<Span> spans = List.of(new Span(Steps.FILL, Long.MIN_VALUE, Long.MAX_VALUE));
    private volatile long endNanos = Long.MAX_VALUE;

    private record Span(int step, long nanos, long endNanos) {}

    /** Begins a step of messages due from this moment on. The end may be an estimate. */
    public void begin(int step, long nanos, long endNanos) {
        Span last = spans.get(spans.size() - 1);
        if (step <= last.step || nanos < last.nanos) {
            throw new IllegalArgumentException("step " + step + " cannot begin before step " + last.step);
        }
        List<Span> longer = new ArrayList<>(spans);
        longer.add(new Span(step, nanos, endNanos));
        spans = List.copyOf(longer);
    }

    /** Ends the last step. Later messages and events belong to no step. */
    public void end(long nanos) {
        endNanos = nanos;
    }

    public int runningAt(long nanos) {
        Span span = spanAt(nanos);
        return nanos < Math.min(span.endNanos, endNanos) ? span.step : NONE;
    }

    public int stepAt(long dueNanos) {
        return spanAt(dueNanos).step;
    }

    // The search starts at the end, because most messages belong to the last steps.
    private Span spanAt(long nanos) {
        List<Span> now = spans;
        int i = now.size() - 1;
        while (i > 0 && nanos < now.get(i).nanos) {
            i--;
        }
        return now.get(i);
    }
}
