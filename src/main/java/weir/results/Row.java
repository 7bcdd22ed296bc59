package weir.results;

import java.util.ArrayList;
import java.util.List;

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
                Figure.of(cells[0]),
                Figure.of(cells[1]),
                Integer.parseInt(cells[2]),
                Long.parseLong(cells[3]),
                Long.parseLong(cells[4]),
                Long.parseLong(cells[5]),
                Long.parseLong(cells[6]),
                Long.parseLong(cells[7]),
                Long.parseLong(cells[8]),
                Long.parseLong(cells[9]),
                spread(cells, latencies),
                spread(cells, latencies + 4),
                spread(cells, latencies + 8),
                spread(cells, latencies + 12),
                spread(cells, latencies + 16),
                spread(cells, latencies + 20),
                Figure.of(cells[latencies + 24]),
                Figure.of(cells[latencies + 25]));
    }

    private static Spread spread(String[] cells, int at) {
        return new Spread(
                Figure.of(cells[at]), Figure.of(cells[at + 1]), Figure.of(cells[at + 2]), Figure.of(cells[at + 3]));
    }
}
