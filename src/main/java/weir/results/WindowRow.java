package weir.results;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.results.value.Figures;

/**
 * One window, a line of {@code windows.csv}. {@code second} is the start of the window, counted from the first window.
 * {@code step} is the step at the start of the window, or -1. {@code lag} is NaN without readers.
 */
public record WindowRow(
        double second,
        double seconds,
        int step,
        Map<Count, Long> counts,
        Map<LatencyKind, Spread> latencies,
        double lag,
        double lagSeconds) {
    public WindowRow {
        counts = Collections.unmodifiableMap(new EnumMap<>(counts));
        latencies = new TreeMap<>(latencies);
        latencies.values().removeIf(Spread.NONE::equals);
        latencies = Collections.unmodifiableMap(latencies);
    }

    public static final int NO_STEP = -1;

    private static final List<String> TIMES = List.of("second", "seconds", "step");
    private static final int FIRST_LATENCY = TIMES.size() + Count.OF_WINDOWS.size();
    static final String HEADER = header();
    private static final int COLUMNS = HEADER.split(",").length;

    /**
     * One latency of a window, in milliseconds; NaN without a value.
     *
     * @param atLeastBeyond percentiles above this one are lower bounds; 100 for none, and for a row of a file
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

    public long of(Count count) {
        return counts.getOrDefault(count, 0L);
    }

    public long due() {
        return of(Count.DUE);
    }

    public long sent() {
        return of(Count.SENT);
    }

    public long acked() {
        return of(Count.ACKED);
    }

    public long failed() {
        return of(Count.FAILED);
    }

    public long received() {
        return of(Count.RECEIVED);
    }

    public Spread latency(LatencyKind kind) {
        return latencies.getOrDefault(kind, Spread.NONE);
    }

    public Spread response() {
        return latency(LatencyKind.RESPONSE);
    }

    public Spread e2e() {
        return latency(LatencyKind.E2E);
    }

    public static Map<Count, Long> counts(Function<Count, Long> count) {
        return Count.OF_WINDOWS.stream().collect(Collectors.toMap(each -> each, count));
    }

    public static Map<LatencyKind, Spread> latencies(Function<LatencyKind, Spread> spread) {
        return Figures.OF_MESSAGES.stream().collect(Collectors.toMap(kind -> kind, spread));
    }

    /**
     * Returns one row for each second, in the order of time. A running trial writes late data, such as the time of a
     * blocked sender, as a second row of the earlier second. This method adds the counts of both rows, and takes
     * percentiles from the histograms of that second.
     */
    static List<WindowRow> whole(List<WindowRow> rows, TrialFolder folder) {
        Map<Double, List<WindowRow>> seconds =
                rows.stream().collect(Collectors.groupingBy(WindowRow::second, TreeMap::new, Collectors.toList()));
        Map<Double, Map<LatencyKind, Spread>> spreads = seconds.size() == rows.size()
                ? Map.of()
                : folder.spreads(
                        second -> seconds.getOrDefault(second, List.of()).size() > 1);
        return seconds.values().stream()
                .map(parts -> parts.stream()
                        .reduce((sum, part) -> sum.plus(part, spreads.getOrDefault(part.second(), Map.of())))
                        .orElseThrow())
                .toList();
    }

    private WindowRow plus(WindowRow other, Map<LatencyKind, Spread> ofBoth) {
        return new WindowRow(
                second,
                Math.max(seconds, other.seconds),
                Math.max(step, other.step),
                counts(count -> of(count) + other.of(count)),
                ofBoth,
                Double.isNaN(other.lag) ? lag : other.lag,
                Double.isNaN(other.lagSeconds) ? lagSeconds : other.lagSeconds);
    }

    private static String header() {
        List<String> names = new ArrayList<>(TIMES);
        Count.OF_WINDOWS.forEach(count -> names.add(count.word()));
        for (LatencyKind kind : Figures.OF_MESSAGES) {
            List.of("P50", "P99", "P999", "Max").forEach(of -> names.add(kind.word() + of));
        }
        names.addAll(List.of("lag", "lagSeconds"));
        return String.join(",", names);
    }

    String line() {
        List<Object> cells = new ArrayList<>(List.of(second, seconds, step));
        Count.OF_WINDOWS.forEach(count -> cells.add(of(count)));
        for (LatencyKind kind : Figures.OF_MESSAGES) {
            Spread s = latency(kind);
            cells.addAll(List.of(s.p50, s.p99, s.p999, s.max));
        }
        cells.addAll(List.of(lag, lagSeconds));
        return Csv.line(cells);
    }

    /** Parses a line; throws IllegalArgumentException with the fault. */
    static WindowRow of(String line) {
        String[] cells = line.split(",", -1);
        if (cells.length != COLUMNS) {
            throw new IllegalArgumentException(cells.length + " columns instead of " + COLUMNS);
        }
        return new WindowRow(
                Csv.second(cells[0]),
                Csv.positive(cells[1]),
                step(cells[2]),
                counts(count -> Csv.count(cells[TIMES.size() + Count.OF_WINDOWS.indexOf(count)])),
                latencies(kind -> {
                    double[] of = Stream.of(cells)
                            .skip(FIRST_LATENCY + 4L * Figures.OF_MESSAGES.indexOf(kind))
                            .limit(4)
                            .mapToDouble(Csv::size)
                            .toArray();
                    return new Spread(of[0], of[1], of[2], of[3]);
                }),
                Csv.size(cells[COLUMNS - 2]),
                Csv.size(cells[COLUMNS - 1]));
    }

    private static int step(String cell) {
        long step = cell.equals("-1") ? NO_STEP : Csv.count(cell);
        if (step > 1_000_000) {
            throw new IllegalArgumentException("'" + cell + "' is not a step");
        }
        return (int) step;
    }
}
