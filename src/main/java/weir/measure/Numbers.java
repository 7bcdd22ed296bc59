package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** The counts and latencies of a set of messages. */
public final class Numbers {
    private static final Count[] RECORDED = Arrays.copyOf(Count.values(), Count.OF_STEPS.size() + 1);
    private static final long[] NOTHING =
            Stream.of(RECORDED).mapToLong(Count::none).toArray();
    private static final LatencyKind[] METRICS = LatencyKind.values();
    private static final Latency NONE = new Latency();

    private final long[] totals = NOTHING.clone();

    private final EnumMap<LatencyKind, Latency> latencies = new EnumMap<>(LatencyKind.class);
    private final SingleDurations singles = new SingleDurations();

    public long count(Count count) {
        return totals[count.place];
    }

    public long due() {
        return count(Count.DUE);
    }

    public long sent() {
        return count(Count.SENT);
    }

    public long acked() {
        return count(Count.ACKED);
    }

    public long failed() {
        return count(Count.FAILED);
    }

    public long received() {
        return count(Count.RECEIVED);
    }

    public long bytesAcked() {
        return count(Count.BYTES_ACKED);
    }

    public long bytesReceived() {
        return count(Count.BYTES_RECEIVED);
    }

    /** The moment of the first send, in nanoseconds since the origin, at most {@link #endedNanos}. */
    public long beganNanos() {
        return Math.min(count(Count.BEGAN_NANOS), endedNanos());
    }

    public long endedNanos() {
        return count(Count.ENDED_NANOS);
    }

    void add(Count count, long more) {
        totals[count.place] = count.both(totals[count.place], more);
    }

    public SingleDurations singles() {
        return singles;
    }

    public Latency latency(LatencyKind metric) {
        return latencies.getOrDefault(metric, NONE);
    }

    public Latency successes() {
        return latency(LatencyKind.RESPONSE).minus(latency(LatencyKind.BOUND));
    }

    Latency recorded(LatencyKind metric) {
        return latencies.computeIfAbsent(metric, none -> new Latency());
    }

    public Numbers plus(Numbers other) {
        Numbers sum = new Numbers();
        sum.add(this);
        sum.add(other);
        return sum;
    }

    public void add(Numbers other) {
        for (Count count : RECORDED) {
            add(count, other.count(count));
        }
        singles.add(other.singles);
        other.latencies.forEach((metric, latency) -> {
            if (!latency.empty()) {
                recorded(metric).add(latency);
            }
        });
    }

    void clear() {
        System.arraycopy(NOTHING, 0, totals, 0, NOTHING.length);
        singles.clear();
        for (LatencyKind metric : METRICS) {
            if (!latency(metric).empty()) {
                latency(metric).clear();
            }
        }
    }

    public static Numbers of(Map<Count, Long> counts) {
        Numbers numbers = new Numbers();
        counts.forEach(numbers::add);
        return numbers;
    }

    public static Numbers of(LatencyKind metric, Latency latency) {
        Numbers numbers = new Numbers();
        numbers.latencies.put(metric, latency);
        return numbers;
    }

    void write(DataOutput out) throws IOException {
        for (long total : totals) {
            Varint.write(out, total);
        }
        for (LatencyKind metric : METRICS) {
            Latency latency = latency(metric);
            out.writeBoolean(!latency.empty());
            if (!latency.empty()) {
                latency.write(out);
            }
        }
        singles.write(out);
    }

    static Numbers read(DataInput in) throws IOException {
        Numbers numbers = new Numbers();
        for (int i = 0; i < NOTHING.length; i++) {
            numbers.totals[i] = Varint.read(in);
        }
        for (LatencyKind metric : METRICS) {
            if (in.readBoolean()) {
                numbers.latencies.put(metric, Latency.read(in));
            }
        }
        numbers.singles.add(SingleDurations.read(in));
        return numbers;
    }
}
