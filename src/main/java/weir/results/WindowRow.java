package weir.results;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import weir.measure.Latency;
import weir.measure.LatencyKind;

/**
 * One window: a line of {@code windows.csv}. {@code second} is its start since the first window of the trial,
 * {@code seconds} its length, {@code step} the step it began in or -1. Counts are of events inside it; lag is NaN where nobody reads.
 */
public record WindowRow(
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
        Spread backpressure,
        Spread late,
        Spread blocked,
        Spread e2e,
        double lag,
        double lagSeconds) {
    /** A window in which no step ran. */
    public static final int NO_STEP = -1;

    private static final List<String> COUNTS = List.of(
            "second", "seconds", "step", "due", "sent", "acked", "failed", "received", "bytesAcked", "bytesReceived");
    private static final List<String> LATENCIES =
            List.of("response", "service", "backpressure", "late", "blocked", "e2e");
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
    WindowRow plus(WindowRow other) {
        return new WindowRow(
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
    WindowRow with(Function<LatencyKind, Spread> spreads) {
        return new WindowRow(
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
                spreads.apply(LatencyKind.RESPONSE),
                spreads.apply(LatencyKind.SERVICE),
                spreads.apply(LatencyKind.BACKPRESSURE),
                spreads.apply(LatencyKind.LATE),
                spreads.apply(LatencyKind.BLOCKED),
                spreads.apply(LatencyKind.E2E),
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
        CsvFigure.append(line, second).append(',');
        CsvFigure.append(line, seconds).append(',');
        line.append(step);
        for (long count : new long[] {due, sent, acked, failed, received, bytesAcked, bytesReceived}) {
            line.append(',').append(count);
        }
        for (Spread s : List.of(response, service, backpressure, late, blocked, e2e)) {
            for (double value : new double[] {s.p50, s.p99, s.p999, s.max}) {
                CsvFigure.append(line.append(','), value);
            }
        }
        CsvFigure.append(line.append(','), lag);
        CsvFigure.append(line.append(','), lagSeconds);
        return line.toString();
    }

    /** The row of a line; throws IllegalArgumentException with what is wrong. */
    static WindowRow of(String line) {
        String[] cells = line.split(",", -1);
        if (cells.length != COLUMNS) {
            throw new IllegalArgumentException(cells.length + " columns where " + COLUMNS + " are needed");
        }
        int latencies = COUNTS.size();
        return new WindowRow(
                CsvFigure.second(cells[0]),
                CsvFigure.positive(cells[1]),
                step(cells[2]),
                CsvFigure.count(cells[3]),
                CsvFigure.count(cells[4]),
                CsvFigure.count(cells[5]),
                CsvFigure.count(cells[6]),
                CsvFigure.count(cells[7]),
                CsvFigure.count(cells[8]),
                CsvFigure.count(cells[9]),
                spread(cells, latencies),
                spread(cells, latencies + 4),
                spread(cells, latencies + 8),
                spread(cells, latencies + 12),
                spread(cells, latencies + 16),
                spread(cells, latencies + 20),
                CsvFigure.size(cells[latencies + 24]),
                CsvFigure.size(cells[latencies + 25]));
    }

    private static int step(String cell) {
        long step = cell.equals("-1") ? NO_STEP : CsvFigure.count(cell);
        if (step > 1_000_000) {
            throw new IllegalArgumentException("'" + cell + "' is no step");
        }
        return (int) step;
    }

    private static Spread spread(String[] cells, int at) {
        return new Spread(
                CsvFigure.size(cells[at]),
                CsvFigure.size(cells[at + 1]),
                CsvFigure.size(cells[at + 2]),
                CsvFigure.size(cells[at + 3]));
    }
}
