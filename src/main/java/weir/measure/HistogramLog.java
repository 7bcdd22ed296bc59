package weir.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * A writer and reader of HdrHistogram's log format. Each line is for a window, metric and step, with a tag such as
 * {@code response@2}. The line contains the exact maximum, not the upper end of the maximum's bucket. A comment after
 * the line counts messages that never ended.
 */
public final class HistogramLog {
    private static final double NANOS_PER_UNIT = 1e6;
    private static final int MAX_LINE = 1 << 22;

    private static final int MAX_TAGS = 6 * 256;
    private static final double MAX_SECOND = 1e7;

    private static final String UNENDED = "#[Unended: ";
    private static final Pattern UNENDED_LINE =
            Pattern.compile(Pattern.quote(UNENDED) + "([^,]{1,40}),([0-9.]{1,20}),([0-9]{1,18}),([0-9]{1,18})]");
    private static final Pattern START = Pattern.compile("StartTime: ([0-9]{1,12}(?:\\.[0-9]{1,9})?) ");

    private final PrintStream out;
    private final HistogramLogWriter writer;
    private ByteBuffer packed = ByteBuffer.allocate(0);

    public HistogramLog(PrintStream out, long startMillis) {
        this.out = out;
        writer = new HistogramLogWriter(out);
        writer.outputLogFormatVersion();
        writer.outputComment(
                "[latencies in nanoseconds, the maximum in milliseconds; times in seconds since the origin]");
        writer.outputStartTime(startMillis);
        writer.outputLegend();
    }

    /** Writes a line for each latency of the window that is not empty. {@code parts} are the cuts of its steps. */
    public void write(Snapshot window, Steps parts, double startSeconds, double endSeconds) {
        for (int step : window.steps()) {
            for (LatencyKind metric : LatencyKind.values()) {
                Latency latency = window.numbers(step).latency(metric);
                if (!latency.empty()) {
                    String tag = metric.word() + "@" + parts.name(step);
                    line(tag, startSeconds, endSeconds, latency);
                    if (latency.censored() > 0) {
                        writer.outputComment(UNENDED.substring(1) + tag + "," + startSeconds + "," + latency.censored()
                                + "," + latency.lowestCensoredNanos + "]");
                    }
                }
            }
        }
    }

    private void line(String tag, double startSeconds, double endSeconds, Latency latency) {
        Histogram histogram = latency.histogram();
        if (packed.capacity() < histogram.getNeededByteBufferCapacity()) {
            packed = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        }
        packed.clear();
        int length = histogram.encodeIntoCompressedByteBuffer(packed, Deflater.BEST_COMPRESSION);
        out.printf(
                Locale.ROOT,
                "Tag=%s,%.3f,%.3f,%.6f,%s\n",
                tag,
                startSeconds,
                endSeconds - startSeconds,
                latency.longestNanos / NANOS_PER_UNIT,
                Base64.getEncoder().encodeToString(Arrays.copyOf(packed.array(), length)));
    }

    /** Reads the latencies of whole steps by tag; throws IOException with the unreadable line. */
    public static SortedMap<String, Latency> read(Reader in) throws IOException {
        return read(in, tag -> true);
    }

    public static SortedMap<String, Latency> read(Reader in, Predicate<LatencyTag> wanted) throws IOException {
        SortedMap<String, Latency> latencies = new TreeMap<>();
        try (PackedHistogram packed = new PackedHistogram()) {
            lines(in, line -> {
                LatencyTag tag = LatencyTag.of(line.tag());
                if (wanted.test(tag)) {
                    line.addTo(latencies.computeIfAbsent(tag.whole().toString(), whole -> new Latency()), packed);
                }
            });
        }
        return latencies;
    }

    /** The wall-clock time of the origin in milliseconds since the epoch; 0 if the log lacks it. */
    public static double startMillis(Reader in) throws IOException {
        LineReader lines = new LineReader(in, MAX_LINE);
        while (lines.next() && lines.line().startsWith("#")) {
            Matcher start = START.matcher(lines.line());
            if (start.find()) {
                return Double.parseDouble(start.group(1)) * 1000;
            }
        }
        return 0;
    }

    /**
     * The tag of a histogram in the log, such as {@code response@2}: a latency of the messages that were due in a step.
     *
     * @param since the second of the last cut by a disturbance before the messages, as in {@code response@2+6.5}; 0 for
     *     none. {@link Steps} has the cuts
     */
    public record LatencyTag(String metric, int step, double since) {
        private static final Pattern FORM =
                Pattern.compile("([a-z0-9]{1,20})@([0-9]{1,6})(?:\\+([0-9]{1,7}(?:\\.[0-9]{1,9})?))?");

        /** Parses a name like {@code response@2}; throws IllegalArgumentException for any other text. */
        public static LatencyTag of(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw none(text);
            }
            String since = form.group(3);
            return new LatencyTag(
                    form.group(1), Integer.parseInt(form.group(2)), since == null ? 0 : Double.parseDouble(since));
        }

        static IllegalArgumentException none(String text) {
            return new IllegalArgumentException("'" + text + "' is not a metric of a step, such as 'response@2'");
        }

        public boolean measured(LatencyKind kind) {
            return metric.equals(kind.word()) && step >= Steps.MEASURE;
        }

        public boolean due(double from, double to) {
            double slack = 1e-6;
            return step >= Steps.MEASURE && since >= from - slack && since < to - slack;
        }

        public LatencyTag whole() {
            return new LatencyTag(metric, step, 0);
        }

        String place() {
            String text = Double.toString(since);
            return since == 0
                    ? Integer.toString(step)
                    : step + "+" + (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text);
        }

        @Override
        public String toString() {
            return metric + "@" + place();
        }
    }

    /** A selection of lines by tag and by the second in which their window begins. Other lines are not decoded. */
    public interface Wanted {
        boolean is(String tag, double second);
    }

    /**
     * Calls {@code window} for each window in order, with the second in which it begins and the sum of its selected
     * latencies. Parts of one window are joined.
     */
    public static void windows(Reader in, Wanted wanted, BiConsumer<Double, Latency> window) throws IOException {
        // The lines stay text, because the histograms of an hour need too much memory.
        SortedMap<Double, List<Line>> windows = new TreeMap<>();
        lines(in, line -> {
            if (wanted.is(line.tag(), line.second())) {
                windows.computeIfAbsent(line.second(), second -> new ArrayList<>())
                        .add(line);
            }
        });
        try (PackedHistogram packed = new PackedHistogram()) {
            for (Map.Entry<Double, List<Line>> entry : windows.entrySet()) {
                Latency latency = new Latency();
                for (Line line : entry.getValue()) {
                    try {
                        line.addTo(latency, packed);
                    } catch (DataFormatException | IllegalArgumentException e) {
                        throw wrong(line.number(), e);
                    }
                }
                window.accept(entry.getKey(), latency);
            }
        }
    }

    /** A receiver of one bucket of a line: the second of its window, its lowest latency and its number of messages. */
    public interface Bucket {
        void of(double second, double millis, long count);
    }

    /** Passes on every bucket of these lines, in the order of the log. Costs far less than {@link #windows}. */
    public static void buckets(Reader in, Wanted wanted, Bucket bucket) throws IOException {
        try (PackedHistogram packed = new PackedHistogram()) {
            lines(in, line -> {
                if (line.unended() == 0 && wanted.is(line.tag(), line.second())) {
                    packed.unpack(
                            line.histogram(),
                            (nanos, count) -> bucket.of(line.second(), nanos / NANOS_PER_UNIT, count));
                }
            });
        }
    }

    private interface Taker {
        void take(Line line) throws DataFormatException;
    }

    private record Line(
            int number,
            String tag,
            double second,
            long longestNanos,
            String histogram,
            long unended,
            long lowestNanos) {
        static Line ofUnended(int number, String text) {
            Matcher line = UNENDED_LINE.matcher(text);
            if (!line.matches()) {
                throw new IllegalArgumentException(
                        "the entry for unfinished messages does not have the format of a run");
            }
            return new Line(
                    number,
                    line.group(1),
                    second(line.group(2)),
                    0,
                    "",
                    Long.parseLong(line.group(3)),
                    Long.parseLong(line.group(4)));
        }

        static Line ofHistogram(int number, String text) {
            String[] cells = text.substring("Tag=".length()).split(",", 6);
            if (cells.length != 5) {
                throw new IllegalArgumentException(cells.length + " cells instead of 5");
            }
            long longest = Math.round(Double.parseDouble(cells[3]) * NANOS_PER_UNIT);
            return new Line(number, cells[0], second(cells[1]), longest, cells[4], 0, 0);
        }

        private static double second(String cell) {
            double second = Double.parseDouble(cell);
            if (!(second >= 0 && second < MAX_SECOND)) {
                throw new IllegalArgumentException("'" + cell + "' is not a second of a trial");
            }
            return second;
        }

        void addTo(Latency latency, PackedHistogram packed) throws DataFormatException {
            if (unended > 0) {
                latency.unended(unended, lowestNanos);
            } else {
                packed.unpack(histogram, latency::record);
                latency.longest(longestNanos);
            }
        }
    }

    private static IOException wrong(int number, Exception e) {
        String reason = String.valueOf(e.getMessage());
        return new IOException(
                "line " + number + " of the histogram log was not written by a run: "
                        + (reason.length() > 200 ? reason.substring(0, 200) + "…" : reason),
                e);
    }

    private static void lines(Reader in, Taker taker) throws IOException {
        LineReader lines = new LineReader(in, MAX_LINE);
        Set<String> tags = new HashSet<>();
        while (lines.next()) {
            String text = lines.line();
            if (text.startsWith("Tag=") || text.startsWith(UNENDED)) {
                try {
                    Line line = text.startsWith("#")
                            ? Line.ofUnended(lines.number(), text)
                            : Line.ofHistogram(lines.number(), text);
                    if (tags.add(line.tag())) {
                        check(line.tag(), tags.size());
                    }
                    taker.take(line);
                } catch (DataFormatException | IllegalArgumentException e) {
                    throw wrong(lines.number(), e);
                }
            } else if (!text.isEmpty() && !text.startsWith("#") && !text.startsWith("\"StartTimestamp\"")) {
                throw new IOException("line " + lines.number() + " of the histogram log has no tag");
            }
        }
    }

    // Each tag needs a histogram in memory, so the limit is the number of metrics and steps of a run.
    private static void check(String tag, int tags) {
        LatencyTag named = LatencyTag.of(tag);
        if (Arrays.stream(LatencyKind.values())
                .noneMatch(metric -> metric.word().equals(named.metric()))) {
            throw LatencyTag.none(tag);
        }
        if (tags > MAX_TAGS) {
            throw new IllegalArgumentException("'" + tag + "' names a step above the maximum");
        }
    }
}
