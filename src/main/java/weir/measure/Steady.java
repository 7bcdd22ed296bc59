package weir.measure;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.ToDoubleFunction;

/**
 * The check whether a load is steady: neither throughput nor latency has a trend over the last ten windows. The page
 * docs/explanation/steady-and-sustained.md has the limits.
 */
public final class Steady {
    static final int WINDOWS = 10;

    private static final double THROUGHPUT_DRIFT = 0.05;
    private static final double LATENCY_DRIFT = 0.10;
    private static final double LATENCY_FLOOR_MILLIS = 0.1;

    private final Deque<Window> last = new ArrayDeque<>();

    private record Window(double throughput, double latencyMillis) {}

    /**
     * Adds the next window; returns whether the load is steady. A load without latency always passes NaN. A window
     * without throughput is never steady.
     */
    public boolean add(double throughput, double latencyMillis) {
        last.add(new Window(throughput, latencyMillis));
        if (last.size() > WINDOWS) {
            last.remove();
        }
        return last.size() == WINDOWS && throughputSettled() && latencySettled();
    }

    private boolean throughputSettled() {
        double[] throughputs = values(Window::throughput);
        return Arrays.stream(throughputs).allMatch(value -> value > 0)
                && drift(throughputs) <= THROUGHPUT_DRIFT * Median.of(throughputs);
    }

    private boolean latencySettled() {
        double[] latencies = values(Window::latencyMillis);
        if (Arrays.stream(latencies).allMatch(Double::isNaN)) {
            return true;
        }
        return Arrays.stream(latencies).noneMatch(Double::isNaN)
                && drift(latencies) <= Math.max(LATENCY_FLOOR_MILLIS, LATENCY_DRIFT * Median.of(latencies));
    }

    private double[] values(ToDoubleFunction<Window> figure) {
        return last.stream().mapToDouble(figure).toArray();
    }

    private static double drift(double[] values) {
        return Math.abs(Trend.slope(values)) * values.length;
    }
}
