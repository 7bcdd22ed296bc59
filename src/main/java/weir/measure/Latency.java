package weir.measure;

import java.util.List;

/** A distribution of latencies. Figures of an empty one are NaN, never 0. */
@SuppressWarnings("DoNotCallSuggester")
public final class Latency {
    /** A point of the curve: this share of the messages took at most so long. */
    public record Point(double percentile, double millis, long count) {}

    public boolean empty() {
        throw new UnsupportedOperationException();
    }

    public long count() {
        throw new UnsupportedOperationException();
    }

    /** The percentile (0 to 100) in milliseconds. */
    public double millis(double percentile) {
        throw new UnsupportedOperationException();
    }

    public double maxMillis() {
        throw new UnsupportedOperationException();
    }

    public double meanMillis() {
        throw new UnsupportedOperationException();
    }

    /** Messages that had not ended when they were counted. */
    public long censored() {
        throw new UnsupportedOperationException();
    }

    /** Whether unended messages reach down to this percentile, so that it is to be read as "at least". */
    public boolean atLeast(double percentile) {
        throw new UnsupportedOperationException();
    }

    /** Whether fewer than ten samples lie beyond this percentile. */
    public boolean thin(double percentile) {
        throw new UnsupportedOperationException();
    }

    /** The curve over 1/(1−p), five points for each halving of what is left. */
    public List<Point> spectrum() {
        throw new UnsupportedOperationException();
    }

    public Latency plus(Latency other) {
        throw new UnsupportedOperationException();
    }
}
