package weir.results;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.results.value.Figures;

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
        Map<LatencyKind, Spread> latencies,
        double lag,
        double lagSeconds) {
    public WindowRow {
        latencies = new TreeMap<>(latencies);
        latencies.values().removeIf(Spread.NONE::equals);
        latencies = Collections.unmodifiableMap(latencies);
    }

    /** A window in which no step ran. */
    public static final int NO_STEP = -1;

    private static final List<String> COUNTS = List.of(
            "second", "seconds", "step", "due", "sent", "acked", "failed", "received", "bytesAcked", "bytesReceived");
    static final String HEADER = header();
    private static final int COLUMNS = HEADER.split(",").length;

    /**
     * One latency inside a window, in milliseconds, NaN where nothing was recorded.
     *
     * @param atLeastBeyond percentiles beyond this one are lower bounds; 100 without any, and of a row that was read from a file
     */
    public record Spread(double p50, double p99, double p999, double max, double atLeastBeyond) {
        public static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

        public Spread(double p50, double p99, double p999, double max) {
            this(p50, p99, p999, max, 100);
        }

        public static Spread of(Latency latency) {
            return latency.empty()
                    ? NONE
                    : new Spread(
                            latency.millis(50),
                            latency.millis(99),
                            latency.millis(99.9),
                            latency.maxMillis(),
                            latency.atLeastBeyond());
        }
    }

    /** NONE where nothing was recorded. */
    public Spread latency(LatencyKind kind) {
        return latencies.getOrDefault(kind, Spread.NONE);
    }

    public Spread response() {
        return latency(LatencyKind.RESPONSE);
    }

    public Spread e2e() {
        return latency(LatencyKind.E2E);
    }

    /** The latencies of a window that come from {@code spread}. */
    public static Map<LatencyKind, Spread> latencies(Function<LatencyKind, Spread> spread) {
        return Figures.OF_MESSAGES.stream().collect(Collectors.toMap(kind -> kind, spread));
    }

    /** Both parts of one window; their latencies cannot be added, so they come from the histograms of both. */
    WindowRow plus(WindowRow other, Map<LatencyKind, Spread> ofBoth) {
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
                ofBoth,
                later(lag, other.lag),
                later(lagSeconds, other.lagSeconds));
    }

    private static double later(double before, double after) {
        return Double.isNaN(after) ? before : after;
    }

    private static String header() {
        List<String> names = new ArrayList<>(COUNTS);
        for (LatencyKind kind : Figures.OF_MESSAGES) {
            List.of("P50", "P99", "P999", "Max").forEach(of -> names.add(kind.word() + of));
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
        for (LatencyKind kind : Figures.OF_MESSAGES) {
            Spread s = latency(kind);
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
        int first = COUNTS.size();
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
                latencies(kind -> spread(cells, first + 4 * Figures.OF_MESSAGES.indexOf(kind))),
                CsvFigure.size(cells[COLUMNS - 2]),
                CsvFigure.size(cells[COLUMNS - 1]));
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
