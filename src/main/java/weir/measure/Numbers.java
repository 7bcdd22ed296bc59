package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.stream.Stream;

/** Totals and latencies of some messages. */
public final class Numbers {
    /** A total, in the order of {@code counts.csv} and of the link between processes; the last one is only in the link. */
    public enum Total {
        DUE("due"),
        /** Due and never sent. */
        UNSENT("unsent"),
        SENT("sent"),
        ACKED("acked"),
        FAILED("failed"),
        ABORTED("aborted"),
        /** Sent, and neither acked nor failed when the drain ended. */
        UNRESOLVED("unresolved"),
        RECEIVED("received"),
        BYTES_SENT("bytesSent"),
        BYTES_ACKED("bytesAcked"),
        BYTES_RECEIVED("bytesReceived"),
        /** Acked while the step ran, also if due in an earlier step; the next three totals count in the same way. */
        ACKED_DURING("ackedDuring"),
        RECEIVED_DURING("receivedDuring"),
        BYTES_ACKED_DURING("bytesAckedDuring"),
        BYTES_RECEIVED_DURING("bytesReceivedDuring"),
        /** When the last message was acked or received, in nanoseconds since the origin; 0 if none was. */
        ENDED_NANOS("endedNanos"),
        /** Operations that ended well; each has one message or more. */
        OPERATIONS("operations"),
        /** Operations that ended well while the step ran, also if due in an earlier step. */
        OPERATIONS_DURING("operationsDuring"),
        /** When the first message was sent, in nanoseconds since the origin; Long.MAX_VALUE if none was. */
        BEGAN_NANOS("beganNanos");

        private final String word;
        private final int place;

        @SuppressWarnings("EnumOrdinal") // The place in an array that is written for each message.
        Total(String word) {
            this.word = word;
            this.place = ordinal();
        }

        private long first() {
            return this == BEGAN_NANOS ? Long.MAX_VALUE : 0;
        }

        /** Two totals as one. */
        private long both(long a, long b) {
            return this == BEGAN_NANOS ? Math.min(a, b) : this == ENDED_NANOS ? Math.max(a, b) : a + b;
        }
    }

    private static final Total[] TOTALS = Total.values();
    private static final long[] NOTHING =
            Stream.of(TOTALS).mapToLong(Total::first).toArray();
    /** The names of what {@link #counts} says. */
    public static final List<String> COUNTS = Stream.of(TOTALS)
            .limit(Total.BEGAN_NANOS.place)
            .map(total -> total.word)
            .toList();

    private static final LatencyKind[] METRICS = LatencyKind.values();
    /** Stands where nothing was recorded, so that an unused latency costs nothing; never recorded in. */
    private static final Latency NONE = new Latency();

    /** By the place of each total. */
    private final long[] totals = NOTHING.clone();

    private final EnumMap<LatencyKind, Latency> latencies = new EnumMap<>(LatencyKind.class);
    private final SingleDurations singles = new SingleDurations();

    public long total(Total total) {
        return totals[total.place];
    }

    public long due() {
        return total(Total.DUE);
    }

    public long sent() {
        return total(Total.SENT);
    }

    public long acked() {
        return total(Total.ACKED);
    }

    public long failed() {
        return total(Total.FAILED);
    }

    public long received() {
        return total(Total.RECEIVED);
    }

    public long bytesAcked() {
        return total(Total.BYTES_ACKED);
    }

    public long bytesReceived() {
        return total(Total.BYTES_RECEIVED);
    }

    /** When the first of them was sent, in nanoseconds since the origin; never later than {@link #endedNanos}. */
    public long beganNanos() {
        return Math.min(total(Total.BEGAN_NANOS), endedNanos());
    }

    public long endedNanos() {
        return total(Total.ENDED_NANOS);
    }

    void add(Total total, long more) {
        totals[total.place] = total.both(totals[total.place], more);
    }

    /** The responses of single operations, where they are kept. */
    public SingleDurations singles() {
        return singles;
    }

    public Latency latency(LatencyKind metric) {
        return latencies.getOrDefault(metric, NONE);
    }

    /** The response of what succeeded. */
    public Latency successes() {
        return latency(LatencyKind.RESPONSE).minus(latency(LatencyKind.BOUND));
    }

    /** The latency of a metric, to be added to. */
    Latency recorded(LatencyKind metric) {
        return latencies.computeIfAbsent(metric, none -> new Latency());
    }

    public Numbers plus(Numbers other) {
        Numbers sum = new Numbers();
        sum.add(this);
        sum.add(other);
        return sum;
    }

    /** Takes in those of another. */
    public void add(Numbers other) {
        for (Total total : TOTALS) {
            add(total, other.total(total));
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

    /** In the order of {@link #COUNTS}. */
    public long[] counts() {
        return Arrays.copyOf(totals, COUNTS.size());
    }

    /** Numbers with these counts, in the order of {@link #COUNTS}, and no latencies. */
    public static Numbers of(long[] counts) {
        Numbers numbers = new Numbers();
        System.arraycopy(counts, 0, numbers.totals, 0, counts.length);
        return numbers;
    }

    /** Numbers with this latency and no counts. */
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
        for (int i = 0; i < TOTALS.length; i++) {
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
