package weir.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.util.SortedMap;

/** HdrHistogram's own log format: a line for each window, metric and step, tagged {@code response@2}. */
@SuppressWarnings("DoNotCallSuggester")
public final class HistogramLog {
    /** Starts a log; {@code startMillis} is the wall time of the origin. */
    public HistogramLog(PrintStream out, long startMillis) {
        throw new UnsupportedOperationException();
    }

    /** A line for each latency of the window that is not empty. */
    public void write(Snapshot window, double startSeconds, double endSeconds) {
        throw new UnsupportedOperationException();
    }

    /** The latencies of a log by tag, each added up over all windows; throws IOException with the line it cannot read. */
    public static SortedMap<String, Latency> read(Reader in) throws IOException {
        throw new UnsupportedOperationException();
    }
}
