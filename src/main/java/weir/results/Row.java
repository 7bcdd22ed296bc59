package weir.results;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import weir.measure.Latency;
import weir.measure.Metric;

/**
 * One window: a line of {@code windows.csv}. {@code second} is its start since the first window of the trial,
 * {@code seconds} its length, {@code step} the step it began in or -1. Counts are of events inside it; lag is NaN where nobody reads.
 */
public record Row(
        double second,
        double seconds,
        int step,
        long due,
        long sent,
        long acked,
        long failed,
        long received,
        long bytesAcked,
        long bytesReceived,
        Spread response,
        Spread service,
        Spread held,
        Spread late,
        Spread blocked,
        Spread e2e,
        double lag,
        double lagSeconds) {
    /** A window in which no step ran. */
    public static final int NO_STEP = -1;

    private static final List<String> COUNTS = List.of(
            "second", "seconds", "step", "due", "sent", "acked", "failed", "received", "bytesAcked", "bytesReceived");
    private static final List<String> LATENCIES = List.of("response", "service", "held", "late", "blocked", "e2e");
    static final String HEADER = header();
    private static final int COLUMNS = HEADER.split(",").length;

    /** One latency inside a window, in milliseconds, NaN where nothing was recorded. */
    public record Spread(double p50, double p99, double p999, double max) {
        public static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        public static Spread of(Latency latency) {
            return latency.empty()
                    ? NONE
                    : new Spread(latency.millis(50), latency.millis(99), latency.millis(99.9), latency.maxMillis());
        }
    }

    /** Both parts of one window, without latencies: only histograms of them could be added. */
    Row plus(Row other) {
        return new Row(
                second,
                Math.max(seconds, other.seconds),
                Math.max(step, other.step),
                due + other.due,
                sent + other.sent,
                acked + other.acked,
                failed + other.failed,
                received + other.received,
                bytesAcked + other.bytesAcked,
                bytesReceived + other.bytesReceived,
                Spread.NONE,
                Spread.NONE,
                Spread.NONE,
                Spread.NONE,
                Spread.NONE,
                Spread.NONE,
                later(lag, other.lag),
                later(lagSeconds, other.lagSeconds));
    }

    private static double later(double before, double after) {
        return Double.isNaN(after) ? before : after;
    }

    /** The same counts with these latencies. */
    Row with(Function<Metric, Spread> spreads) {
        return new Row(
                second,
                seconds,
                step,
                due,
                sent,
                acked,
                failed,
                received,
                bytesAcked,
                bytesReceived,
                spreads.apply(Metric.RESPONSE),
                spreads.apply(Metric.SERVICE),
                spreads.apply(Metric.HELD),
                spreads.apply(Metric.LATE),
                spreads.apply(Metric.BLOCKED),
                spreads.apply(Metric.E2E),
                lag,
                lagSeconds);
    }

    private static String header() {
        List<String> names = new ArrayList<>(COUNTS);
        for (String latency : LATENCIES) {
            names.addAll(List.of(latency + "P50", latency + "P99", latency + "P999", latency + "Max"));
        }
        names.addAll(List.of("lag", "lagSeconds"));
        return String.join(",", names);
    }

    String line() {
        StringBuilder line = new StringBuilder(160);
        Figure.append(line, second).append(',');
        Figure.append(line, seconds).append(',');
        line.append(step);
        for (long count : new long[] {due, sent, acked, failed, received, bytesAcked, bytesReceived}) {
            line.append(',').append(count);
        }
        for (Spread s : List.of(response, service, held, late, blocked, e2e)) {
            for (double value : new double[] {s.p50, s.p99, s.p999, s.max}) {
                Figure.append(line.append(','), value);
            }
        }
        Figure.append(line.append(','), lag);
        Figure.append(line.append(','), lagSeconds);
        return line.toString();
    }

    /** The row of a line; throws IllegalArgumentException with what is wrong. */
    static Row of(String line) {
        String[] cells = line.split(",", -1);
        if (cells.length != COLUMNS) {
            throw new IllegalArgumentException(cells.length + " columns where " + COLUMNS + " are needed");
        }
        int latencies = COUNTS.size();
        return new Row(
                Figure.second(cells[0]),
                Figure.positive(cells[1]),
                step(cells[2]),
                Figure.count(cells[3]),
                Figure.count(cells[4]),
                Figure.count(cells[5]),
                Figure.count(cells[6]),
                Figure.count(cells[7]),
                Figure.count(cells[8]),
                Figure.count(cells[9]),
                spread(cells, latencies),
                spread(cells, latencies + 4),
                spread(cells, latencies + 8),
                spread(cells, latencies + 12),
                spread(cells, latencies + 16),
                spread(cells, latencies + 20),
                Figure.size(cells[latencies + 24]),
                Figure.size(cells[latencies + 25]));
    }

    private static int step(String cell) {
        long step = cell.equals("-1") ? NO_STEP : Figure.count(cell);
        if (step > 1_000_000) {
            throw new IllegalArgumentException("'" + cell + "' is no step");
        }
        return (int) step;
    }

    private static Spread spread(String[] cells, int at) {
        return new Spread(
                Figure.size(cells[at]),
                Figure.size(cells[at + 1]),
                Figure.size(cells[at + 2]),
                Figure.size(cells[at + 3]));
    }
}
