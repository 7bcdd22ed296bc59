package weir.run;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import weir.results.Row;

/** How a trial went, second by second: as much as tells whether it was steady. */
final class Course {
    private final SortedMap<Long, Second> seconds = new TreeMap<>();

    private record Second(long acked, long received, long most, double latency) {
        static final Second NOTHING = new Second(0, 0, 0, Double.NaN);

        /** A later part of a second adds its counts; the latency is that of the part with the most messages. */
        Second plus(Row row) {
            long events = Math.max(row.acked(), row.received());
            double p50 = Double.isNaN(row.response().p50())
                    ? row.e2e().p50()
                    : row.response().p50();
            return new Second(
                    acked + row.acked(),
                    received + row.received(),
                    Math.max(most, events),
                    events > most || Double.isNaN(latency) ? p50 : latency);
        }

        double throughput() {
            return Math.max(acked, received);
        }
    }

    void add(Row row) {
        long second = (long) row.second();
        seconds.put(second, seconds.getOrDefault(second, Second.NOTHING).plus(row));
    }

    /** Messages in each whole second between two moments. */
    double[] throughput(double from, double to) {
        return values(from, to, Second::throughput);
    }

    /** The median latency in each whole second between two moments, NaN where nothing came. */
    double[] latency(double from, double to) {
        return values(from, to, Second::latency);
    }

    private double[] values(double from, double to, ToDoubleFunction<Second> figure) {
        long first = (long) Math.ceil(from);
        // A trial that was stopped at once has no whole second.
        return seconds.subMap(first, Math.max(first, (long) Math.floor(to))).values().stream()
                .mapToDouble(figure)
                .toArray();
    }
}
