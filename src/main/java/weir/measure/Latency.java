package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * A distribution of latencies with three exact digits and a resolution of one microsecond. The maximum is exact, and no
 * percentile exceeds the maximum. Figures of an empty distribution are NaN, never 0.
 */
public final class Latency {
    static final long LOWEST_NANOS = 1000;
    static final int DIGITS = 3;
    /** The highest recorded latency, above 19 hours. Longer latencies get this value. */
    static final long HIGHEST_NANOS = 1L << 46;

    /** HdrHistogram counts in units of the power of two below its lowest value. */
    static final int UNIT_BITS = 9;

    private static final int ENOUGH_BEYOND = 10;

    private static final int POINTS_PER_HALVING = 5;
    private static final List<Double> LEVELS = List.of(99.0, 99.9, 99.99, 99.999);

    private static final double MILLI = 1e6;

    private final Histogram histogram;
    long longestNanos;
    private long censored;
    long lowestCensoredNanos = Long.MAX_VALUE;

    public Latency() {
        this(2 * LOWEST_NANOS);
    }

    private Latency(long highestNanos) {
        histogram = new Histogram(LOWEST_NANOS, Math.max(2 * LOWEST_NANOS, highestNanos), DIGITS);
        histogram.setAutoResize(true);
    }

    /** A point of the distribution: {@code percentile} percent of the messages took at most {@code millis}. */
    public record Point(double percentile, double millis) {}

    /** A receiver of a non-empty bucket: its lowest latency, and the number of its latencies. */
    public interface Bucket {
        void of(long nanos, long count);
    }

    /** A distribution of many recording threads, which never wait, and one querying thread. Exact to two digits. */
    public static final class Shared {
        private static final int FEW_DIGITS = 2;
        private static final long MOST_NANOS = 1L << 40;

        private final Recorder recorder = new Recorder(LOWEST_NANOS, MOST_NANOS, FEW_DIGITS);
        private @Nullable Histogram recycled;

        public void record(long nanos) {
            recorder.recordValue(Math.min(Math.max(nanos, 0), MOST_NANOS));
        }

        /** The percentile (0 to 100) of all values since the previous call, in milliseconds; NaN without values. */
        public synchronized double takeMillis(double percentile) {
            Histogram last = recorder.getIntervalHistogram(recycled);
            recycled = last;
            return last.getTotalCount() == 0 ? Double.NaN : last.getValueAtPercentile(percentile) / MILLI;
        }
    }

    public void record(long nanos, long count) {
        long kept = Math.min(Math.max(nanos, 0), HIGHEST_NANOS);
        histogram.recordValueWithCount(kept, count);
        longestNanos = Math.max(longestNanos, kept);
    }

    /** Sets the exact maximum if only its bucket is known. Ignores a value outside of that bucket. */
    void longest(long nanos) {
        long most = histogram.highestEquivalentValue(histogram.getMaxValue());
        longestNanos = Math.max(longestNanos, empty() ? 0 : Math.min(nanos, most));
    }

    /** Records operations that never ended and took at least {@code nanos} until the load gave them up. */
    public void recordAtLeast(long nanos, long count) {
        record(nanos, count);
        unended(count, Math.max(nanos, 0));
    }

    /** Marks {@code count} of the recorded latencies as unended, the shortest at {@code lowestNanos}. */
    void unended(long count, long lowestNanos) {
        censored += count;
        lowestCensoredNanos = Math.min(lowestCensoredNanos, lowestNanos);
    }

    public void add(Latency other) {
        add(other.histogram);
        longestNanos = Math.max(longestNanos, other.longestNanos);
        censored += other.censored;
        lowestCensoredNanos = Math.min(lowestCensoredNanos, other.lowestCensoredNanos);
    }

    private void add(Histogram other) {
        // The library visits thousands of counts even in an empty histogram.
        if (other.getTotalCount() > 0) {
            histogram.add(other);
        }
    }

    void clear() {
        histogram.reset();
        longestNanos = 0;
        censored = 0;
        lowestCensoredNanos = Long.MAX_VALUE;
    }

    /** A histogram of the maximum size. The size of a growing histogram would depend on the order of recording. */
    Histogram histogram() {
        return plus(new Latency()).histogram;
    }

    public boolean empty() {
        return count() == 0;
    }

    public long count() {
        return histogram.getTotalCount();
    }

    public double millis(double percentile) {
        // The upper end of a bucket may exceed the longest latency.
        return empty() ? Double.NaN : Math.min(histogram.getValueAtPercentile(percentile), longestNanos) / MILLI;
    }

    public double maxMillis() {
        return empty() ? Double.NaN : longestNanos / MILLI;
    }

    public double meanMillis() {
        return empty() ? Double.NaN : Math.min(histogram.getMean(), (double) longestNanos) / MILLI;
    }

    public void buckets(Bucket out) {
        for (HistogramIterationValue v : histogram.recordedValues()) {
            out.of(histogram.lowestEquivalentValue(v.getValueIteratedTo()), v.getCountAddedInThisIterationStep());
        }
    }

    public Latency fastest(long count) {
        Latency fastest = new Latency(histogram.getMaxValue());
        for (HistogramIterationValue v : histogram.recordedValues()) {
            long left = count - fastest.count();
            if (left <= 0) {
                break;
            }
            fastest.record(longestIn(v), Math.min(left, v.getCountAddedInThisIterationStep()));
        }
        return fastest;
    }

    /** The latencies in {@code [fromNanos, belowNanos)}. */
    public Latency between(long fromNanos, long belowNanos) {
        Latency part = new Latency(histogram.getMaxValue());
        for (HistogramIterationValue v : histogram.recordedValues()) {
            long nanos = histogram.lowestEquivalentValue(v.getValueIteratedTo());
            if (nanos >= fromNanos && nanos < belowNanos) {
                part.record(longestIn(v), v.getCountAddedInThisIterationStep());
            }
        }
        if (censored > 0 && lowestCensoredNanos < belowNanos && !part.empty()) {
            // Unended latencies are counted but not marked, so any latency above their minimum may be unended.
            part.lowestCensoredNanos = Math.max(lowestCensoredNanos, fromNanos);
            part.censored = Math.min(censored, part.count());
        }
        return part;
    }

    public long censored() {
        return censored;
    }

    /** The percentile above which values are lower bounds because of unended messages; 100 without such messages. */
    public double atLeastBeyond() {
        if (censored == 0) {
            return 100;
        }
        // Percentiles below the lowest unended message are exact, whenever that message ends.
        long below = histogram.lowestEquivalentValue(lowestCensoredNanos) - 1;
        return below < 0 ? 0 : 100.0 * histogram.getCountBetweenValues(0, below) / count();
    }

    public boolean thin(double percentile) {
        return thin(count(), percentile);
    }

    /** True if fewer than ten of {@code count} samples are above this percentile. */
    public static boolean thin(long count, double percentile) {
        // With 1 - percentile / 100, rounding would make 99.9 slightly less than 0.001.
        return Math.round(count * (100 - percentile) * 1e6) < ENOUGH_BEYOND * 100_000_000L;
    }

    public List<Point> spectrum() {
        if (empty()) {
            return List.of();
        }
        NavigableSet<Double> levels = new TreeSet<>();
        for (HistogramIterationValue v : histogram.percentiles(POINTS_PER_HALVING)) {
            levels.add(v.getPercentileLevelIteratedTo());
        }
        LEVELS.stream()
                .filter(level -> Percentile.rank(level, count()) < count())
                .forEach(levels::add);
        return levels.stream().map(level -> new Point(level, millis(level))).toList();
    }

    /** The latency of this rank in milliseconds; 1 is the shortest. */
    public double nthMillis(long rank) {
        long passed = 0;
        for (HistogramIterationValue v : histogram.recordedValues()) {
            passed += v.getCountAddedInThisIterationStep();
            if (passed >= rank) {
                return longestIn(v) / MILLI;
            }
        }
        return maxMillis();
    }

    private long longestIn(HistogramIterationValue bucket) {
        return Math.min(histogram.highestEquivalentValue(bucket.getValueIteratedTo()), longestNanos);
    }

    public static Latency sum(Iterable<Latency> all) {
        Latency sum = new Latency();
        all.forEach(sum::add);
        return sum;
    }

    public Latency plus(Latency other) {
        Latency sum = new Latency(Math.max(histogram.getMaxValue(), other.histogram.getMaxValue()));
        sum.add(this);
        sum.add(other);
        return sum;
    }

    /** The distribution without its part {@code some}. No remaining message is unended. */
    public Latency minus(Latency some) {
        Latency rest = new Latency(histogram.getMaxValue());
        rest.add(histogram);
        rest.histogram.subtract(some.histogram);
        rest.longest(longestNanos);
        return rest;
    }

    public void write(DataOutput out) throws IOException {
        Varint.write(out, longestNanos);
        int entries = 0;
        for (HistogramIterationValue ignored : histogram.recordedValues()) {
            entries++;
        }
        Varint.write(out, entries);
        long before = 0;
        for (HistogramIterationValue v : histogram.recordedValues()) {
            long units = histogram.lowestEquivalentValue(v.getValueIteratedTo()) >> UNIT_BITS;
            Varint.write(out, units - before);
            Varint.write(out, v.getCountAddedInThisIterationStep());
            before = units;
        }
        Varint.write(out, censored);
        if (censored > 0) {
            Varint.write(out, lowestCensoredNanos);
        }
    }

    /** Reads a distribution that {@link #write} wrote; throws IOException for any other bytes. */
    public static Latency read(DataInput in) throws IOException {
        long longest = Varint.read(in);
        Latency latency = new Latency(nanos(longest >> UNIT_BITS));
        int entries = Varint.read(in, Integer.MAX_VALUE, "latencies");
        long units = 0;
        for (int i = 0; i < entries; i++) {
            units += Varint.read(in);
            long count = Varint.read(in);
            if (count == 0 || latency.count() + count < 0) {
                throw new IOException(count + " messages of one latency");
            }
            latency.record(nanos(units), count);
        }
        latency.longest(longest);
        latency.censored = Varint.read(in);
        if (latency.censored > latency.count()) {
            throw new IOException(latency.censored + " unended of " + latency.count() + " messages");
        }
        if (latency.censored > 0) {
            latency.lowestCensoredNanos = Varint.read(in);
        }
        return latency;
    }

    private static long nanos(long units) throws IOException {
        if (units < 0 || units > HIGHEST_NANOS >> UNIT_BITS) {
            throw new IOException("a latency of " + units + " units");
        }
        return units << UNIT_BITS;
    }
}
