package weir.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** HdrHistogram's own log format: a line for each window, metric and step, tagged {@code response@2}. */
public final class HistogramLog {
    /** The log shows maxima in milliseconds. */
    private static final double NANOS_PER_UNIT = 1e6;
    /** The longest line that three digits up to the highest latency can need is a tenth of it. */
    private static final int MAX_LINE = 1 << 22;

    private static final int COMPRESSED_COOKIE = 0x1c849314;
    private static final int HEADER_BYTES = 40;

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

    /**
     * Hands over the latencies with these tags window by window, in their order, with the second in which the window
     * begins. A window that was written in several parts is whole.
     */
    public static void windows(Reader in, Predicate<String> tags, BiConsumer<Double, Latency> window)
            throws IOException {
        // Kept as text: an hour of histograms would not fit.
        SortedMap<Double, List<Line>> windows = new TreeMap<>();
        lines(in, line -> {
            if (tags.test(line.tag())) {
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
            return new Line(number, cells[0], Double.parseDouble(cells[1]), cells[4]);
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
        return new IOException("line " + number + " of the histogram log is not one of ours: " + e.getMessage(), e);
    }

    private static void lines(Reader in, LineReader reader) throws IOException {
        BufferedReader buffered = new BufferedReader(in);
        StringBuilder line = new StringBuilder();
        for (int number = 1; read(buffered, line, number); number++) {
            String text = line.toString();
            if (text.startsWith("Tag=")) {
                Line read;
                try {
                    read = Line.of(number, text);
                } catch (IllegalArgumentException e) {
                    throw wrong(number, e);
                }
                read.read(() -> reader.take(read));
            } else if (!text.isEmpty() && !text.startsWith("#") && !text.startsWith("\"StartTimestamp\"")) {
                throw new IOException("line " + number + " of the histogram log has no tag");
            }
        }
    }

    private static boolean read(BufferedReader reader, StringBuilder line, int number) throws IOException {
        line.setLength(0);
        int next = reader.read();
        if (next < 0) {
            return false;
        }
        while (next >= 0 && next != '\n') {
            if (line.length() == MAX_LINE) {
                throw new IOException("line " + number + " of the histogram log is longer than " + MAX_LINE);
            }
            line.append((char) next);
            next = reader.read();
        }
        return true;
    }

    private static Histogram decode(String base64) throws DataFormatException {
        byte[] bytes = Base64.getDecoder().decode(base64);
        checkHeader(bytes);
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
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
