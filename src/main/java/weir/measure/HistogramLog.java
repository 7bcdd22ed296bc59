package weir.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogWriter;

/** HdrHistogram's own log format: a line for each window, metric and step, tagged {@code response@2}. */
public final class HistogramLog {
    /** The log shows maxima in milliseconds. */
    private static final double NANOS_PER_UNIT = 1e6;
    /** The longest line that three digits up to the highest latency can need is a tenth of it. */
    private static final int MAX_LINE = 1 << 22;

    private static final int COMPRESSED_COOKIE = 0x1c849314;
    private static final int HEADER_BYTES = 40;
    /** Metrics times the steps that a snapshot may have. */
    private static final int MAX_TAGS = 6 * 256;
    /** In one window; and no log has lines enough to make them run over in a sum. */
    private static final long MAX_COUNT = 1L << 40;
    /** Longer than any trial. */
    private static final double MAX_SECOND = 1e7;

    private final HistogramLogWriter writer;

    /** Starts a log; {@code startMillis} is the wall time of the origin. */
    public HistogramLog(PrintStream out, long startMillis) {
        writer = new HistogramLogWriter(out);
        writer.outputLogFormatVersion();
        writer.outputComment(
                "[latencies in nanoseconds, the maximum in milliseconds; times in seconds since the origin]");
        writer.outputStartTime(startMillis);
        writer.outputLegend();
    }

    /** A line for each latency of the window that is not empty. */
    public void write(Snapshot window, double startSeconds, double endSeconds) {
        for (int step : window.steps()) {
            for (Metric metric : Metric.values()) {
                Latency latency = window.numbers(step).latency(metric);
                if (!latency.empty()) {
                    Histogram histogram = latency.histogram();
                    histogram.setTag(metric.word() + "@" + step);
                    writer.outputIntervalHistogram(startSeconds, endSeconds, histogram, NANOS_PER_UNIT);
                }
            }
        }
    }

    /** The latencies of a log by tag, each added up over all windows; throws IOException with the line it cannot read. */
    public static SortedMap<String, Latency> read(Reader in) throws IOException {
        SortedMap<String, Latency> latencies = new TreeMap<>();
        lines(
                in,
                line -> latencies
                        .computeIfAbsent(line.tag(), tag -> new Latency())
                        .add(decode(line.histogram())));
        return latencies;
    }

    /** Chooses lines by their tag and the second in which their window begins; the others are not decoded. */
    public interface Wanted {
        boolean is(String tag, double second);
    }

    /**
     * Hands over the latencies of these lines window by window, in their order, with the second in which the window
     * begins. A window that was written in several parts is whole.
     */
    public static void windows(Reader in, Wanted wanted, BiConsumer<Double, Latency> window) throws IOException {
        // Kept as text: an hour of histograms would not fit.
        SortedMap<Double, List<Line>> windows = new TreeMap<>();
        lines(in, line -> {
            if (wanted.is(line.tag(), line.second())) {
                windows.computeIfAbsent(line.second(), second -> new ArrayList<>())
                        .add(line);
            }
        });
        for (Map.Entry<Double, List<Line>> entry : windows.entrySet()) {
            Latency latency = new Latency();
            for (Line line : entry.getValue()) {
                line.read(() -> latency.add(decode(line.histogram())));
            }
            window.accept(entry.getKey(), latency);
        }
    }

    private interface Decoding {
        void run() throws DataFormatException;
    }

    private interface LineReader {
        void take(Line line) throws DataFormatException;
    }

    /** A line that holds a histogram; its times are seconds since the origin. */
    private record Line(int number, String tag, double second, String histogram) {
        static Line of(int number, String text) {
            String[] cells = text.substring("Tag=".length()).split(",", -1);
            if (cells.length != 5) {
                throw new IllegalArgumentException(cells.length + " cells where 5 are needed");
            }
            double second = Double.parseDouble(cells[1]);
            if (!(second >= 0 && second < MAX_SECOND)) {
                throw new IllegalArgumentException("'" + cells[1] + "' is no second of a trial");
            }
            return new Line(number, tag(cells[0]), second, cells[4]);
        }

        private static String tag(String cell) {
            int at = cell.indexOf('@');
            boolean ours = at > 0
                    && cell.substring(at + 1).matches("\\d{1,6}")
                    && Arrays.stream(Metric.values())
                            .anyMatch(metric -> metric.word().equals(cell.substring(0, at)));
            if (!ours) {
                throw new IllegalArgumentException("'" + cell + "' is no metric of a step, like 'response@2'");
            }
            return cell;
        }

        /** Says which line it was that could not be read. */
        void read(Decoding decoding) throws IOException {
            try {
                decoding.run();
            } catch (DataFormatException | RuntimeException e) {
                // Hostile counts end in any of the decoder's index and buffer errors.
                throw wrong(number, e);
            }
        }
    }

    private static IOException wrong(int number, Exception e) {
        String reason = String.valueOf(e.getMessage());
        return new IOException(
                "line " + number + " of the histogram log is not one of ours: "
                        + (reason.length() > 200 ? reason.substring(0, 200) + "…" : reason),
                e);
    }

    private static void lines(Reader in, LineReader reader) throws IOException {
        BufferedReader buffered = new BufferedReader(in);
        StringBuilder line = new StringBuilder();
        Set<String> tags = new HashSet<>();
        for (int number = 1; read(buffered, line, number); number++) {
            String text = line.toString();
            if (text.startsWith("Tag=")) {
                Line read;
                try {
                    read = Line.of(number, text);
                } catch (IllegalArgumentException e) {
                    throw wrong(number, e);
                }
                // Each tag is a histogram in memory, so there are no more of them than a run has metrics and steps.
                if (tags.add(read.tag()) && tags.size() > MAX_TAGS) {
                    throw wrong(number, new IllegalArgumentException("'" + read.tag() + "' is one step too many"));
                }
                read.read(() -> reader.take(read));
            } else if (!text.isEmpty() && !text.startsWith("#") && !text.startsWith("\"StartTimestamp\"")) {
                throw new IOException("line " + number + " of the histogram log has no tag");
            }
        }
    }

    // The last line of a killed run may be cut anywhere; without its end it is left out.
    private static boolean read(BufferedReader reader, StringBuilder line, int number) throws IOException {
        line.setLength(0);
        int next = reader.read();
        while (next >= 0 && next != '\n') {
            if (line.length() == MAX_LINE) {
                throw new IOException("line " + number + " of the histogram log is longer than " + MAX_LINE);
            }
            line.append((char) next);
            next = reader.read();
        }
        return next >= 0;
    }

    private static Histogram decode(String base64) throws DataFormatException {
        byte[] bytes = Base64.getDecoder().decode(base64);
        checkHeader(bytes);
        Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        long sum = 0;
        for (HistogramIterationValue value : histogram.recordedValues()) {
            long count = value.getCountAtValueIteratedTo();
            sum += count;
            // Looked at one by one, before a sum of them can run over.
            if (count < 0 || count > MAX_COUNT || sum > MAX_COUNT) {
                throw new DataFormatException("more messages than a window can have");
            }
        }
        return histogram;
    }

    // The decoder allocates what the header declares, so the header is looked at first.
    private static void checkHeader(byte[] bytes) throws DataFormatException {
        if (bytes.length < 8 || ByteBuffer.wrap(bytes).getInt() != COMPRESSED_COOKIE) {
            throw new DataFormatException("not a compressed histogram");
        }
        Inflater inflater = new Inflater();
        try {
            byte[] header = new byte[HEADER_BYTES];
            inflater.setInput(bytes, 8, bytes.length - 8);
            if (inflater.inflate(header) != HEADER_BYTES) {
                throw new DataFormatException("a cut histogram");
            }
            ByteBuffer fields = ByteBuffer.wrap(header).position(8);
            int offset = fields.getInt();
            int digits = fields.getInt();
            long lowest = fields.getLong();
            long highest = fields.getLong();
            if (offset != 0
                    || digits != Latency.DIGITS
                    || lowest != Latency.LOWEST_NANOS
                    || highest < 2 * lowest
                    || highest > 2 * Latency.HIGHEST_NANOS) {
                throw new DataFormatException(
                        "a histogram from " + lowest + " to " + highest + " with " + digits + " digits");
            }
        } finally {
            inflater.end();
        }
    }
}
