package weir.measure;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;

/** Counts and latencies of some messages. */
public final class Numbers {
    /** The names of what {@link #counts} says. */
    public static final List<String> COUNTS = List.of(
            "due",
            "unsent",
            "sent",
            "acked",
            "failed",
            "aborted",
            "unresolved",
            "received",
            "bytesSent",
            "bytesAcked",
            "bytesReceived",
            "ackedDuring",
            "receivedDuring",
            "bytesAckedDuring",
            "bytesReceivedDuring",
            "endedNanos",
            "operations",
            "operationsDuring");

    private static final LatencyKind[] METRICS = LatencyKind.values();
    /** Stands where nothing was recorded, so that an unused latency costs nothing; never recorded in. */
    private static final Latency NONE = new Latency();

    private static final long NEVER = Long.MAX_VALUE;

    long due;
    long unsent;
    long sent;
    long acked;
    long failed;
    long aborted;
    long unresolved;
    long received;
    long bytesSent;
    long bytesAcked;
    long bytesReceived;
    long ackedDuring;
    long receivedDuring;
    long bytesAckedDuring;
    long bytesReceivedDuring;
    /** Since the origin, {@link #NEVER} where nothing was sent. */
    long beganNanos = NEVER;
    /** Since the origin. */
    long endedNanos;

    long operations;
    long operationsDuring;

    private final EnumMap<LatencyKind, Latency> latencies = new EnumMap<>(LatencyKind.class);
    private final SingleDurations singles = new SingleDurations();

    public long due() {
        return due;
    }

    /** Due and never sent. */
    public long unsent() {
        return unsent;
    }

    public long sent() {
        return sent;
    }

    public long acked() {
        return acked;
    }

    public long failed() {
        return failed;
    }

    public long aborted() {
        return aborted;
    }

    /** Sent, and neither acked nor failed when the drain ended. */
    public long unresolved() {
        return unresolved;
    }

    public long received() {
        return received;
    }

    public long bytesSent() {
        return bytesSent;
    }

    public long bytesAcked() {
        return bytesAcked;
    }

    public long bytesReceived() {
        return bytesReceived;
    }

    /** Acked while the step ran, whatever step they were due in. */
    public long ackedDuring() {
        return ackedDuring;
    }

    /** Received while the step ran, whatever step they were due in. */
    public long receivedDuring() {
        return receivedDuring;
    }

    public long bytesAckedDuring() {
        return bytesAckedDuring;
    }

    public long bytesReceivedDuring() {
        return bytesReceivedDuring;
    }

    /** When the first of them was sent, in nanoseconds since the origin; never later than {@link #endedNanos}. */
    public long beganNanos() {
        return Math.min(beganNanos, endedNanos);
    }

    /** When the last of them was acked or received, in nanoseconds since the origin; 0 where none was. */
    public long endedNanos() {
        return endedNanos;
    }

    /** Operations that ended well; each has one message or more. */
    public long operations() {
        return operations;
    }

    /** Operations that ended well while the step ran, whatever step they were due in. */
    public long operationsDuring() {
        return operationsDuring;
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
        Latency latency = latencies.get(metric);
        return latency == null ? create(metric) : latency;
    }

    private Latency create(LatencyKind metric) {
        Latency latency = new Latency();
        latencies.put(metric, latency);
        return latency;
    }

    public Numbers plus(Numbers other) {
        Numbers sum = new Numbers();
        sum.add(this);
        sum.add(other);
        return sum;
    }

    /** Takes in those of another. */
    public void add(Numbers other) {
        due += other.due;
        unsent += other.unsent;
        sent += other.sent;
        acked += other.acked;
        failed += other.failed;
        aborted += other.aborted;
        unresolved += other.unresolved;
        received += other.received;
        bytesSent += other.bytesSent;
        bytesAcked += other.bytesAcked;
        bytesReceived += other.bytesReceived;
        ackedDuring += other.ackedDuring;
        receivedDuring += other.receivedDuring;
        bytesAckedDuring += other.bytesAckedDuring;
        bytesReceivedDuring += other.bytesReceivedDuring;
        operations += other.operations;
        operationsDuring += other.operationsDuring;
        beganNanos = Math.min(beganNanos, other.beganNanos);
        endedNanos = Math.max(endedNanos, other.endedNanos);
        singles.add(other.singles);
        other.latencies.forEach((metric, latency) -> {
            if (!latency.empty()) {
                recorded(metric).add(latency);
            }
        });
    }

    void clear() {
        due = unsent = sent = acked = failed = aborted = unresolved = received = 0;
        bytesSent = bytesAcked = bytesReceived = 0;
        ackedDuring = receivedDuring = bytesAckedDuring = bytesReceivedDuring = 0;
        operations = operationsDuring = 0;
        singles.clear();
        beganNanos = NEVER;
        endedNanos = 0;
        for (LatencyKind metric : METRICS) {
            if (!latency(metric).empty()) {
                latency(metric).clear();
            }
        }
    }

    /** In the order of {@link #COUNTS}. */
    public long[] counts() {
        return new long[] {
            due,
            unsent,
            sent,
            acked,
            failed,
            aborted,
            unresolved,
            received,
            bytesSent,
            bytesAcked,
            bytesReceived,
            ackedDuring,
            receivedDuring,
            bytesAckedDuring,
            bytesReceivedDuring,
            endedNanos,
            operations,
            operationsDuring
        };
    }

    /** Numbers with these counts, in the order of {@link #COUNTS}, and no latencies. */
    public static Numbers of(long[] counts) {
        Numbers numbers = new Numbers();
        int i = 0;
        numbers.due = counts[i++];
        numbers.unsent = counts[i++];
        numbers.sent = counts[i++];
        numbers.acked = counts[i++];
        numbers.failed = counts[i++];
        numbers.aborted = counts[i++];
        numbers.unresolved = counts[i++];
        numbers.received = counts[i++];
        numbers.bytesSent = counts[i++];
        numbers.bytesAcked = counts[i++];
        numbers.bytesReceived = counts[i++];
        numbers.ackedDuring = counts[i++];
        numbers.receivedDuring = counts[i++];
        numbers.bytesAckedDuring = counts[i++];
        numbers.bytesReceivedDuring = counts[i++];
        numbers.endedNanos = counts[i++];
        numbers.operations = counts[i++];
        numbers.operationsDuring = counts[i];
        return numbers;
    }

    /** Numbers with this latency and no counts. */
    public static Numbers of(LatencyKind metric, Latency latency) {
        Numbers numbers = new Numbers();
        numbers.latencies.put(metric, latency);
        return numbers;
    }

    void write(DataOutput out) throws IOException {
        for (long count : counts()) {
            Varint.write(out, count);
        }
        Varint.write(out, beganNanos);
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
        long[] counts = new long[COUNTS.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = Varint.read(in);
        }
        Numbers numbers = of(counts);
        numbers.beganNanos = Varint.read(in);
        for (LatencyKind metric : METRICS) {
            if (in.readBoolean()) {
                numbers.latencies.put(metric, Latency.read(in));
            }
        }
        numbers.singles.add(SingleDurations.read(in));
        return numbers;
    }
}
