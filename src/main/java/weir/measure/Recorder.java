package weir.measure;

import java.util.function.Consumer;

/** A recorder of message events, window by window. One thread owns it. */
public final class Recorder {
    private final long originNanos;
    private final long windowNanos;
    private final Consumer<Snapshot> out;
    private final Snapshot current = new Snapshot(0);
    /** Events of an ended window. For example, a blocked sender counts its due operations only after the block. */
    private final Snapshot late = new Snapshot(0);

    private final int singlesFrom;
    private long startNanos;

    /**
     * Creates a recorder. {@code out} gets each window on the recording thread, after the window's end. It must copy
     * the window before it returns ({@link Series#add}, {@link Snapshot#copy}), because the snapshot is reused. If a
     * window has late events, {@code out} gets them as a further part, to be added.
     *
     * @param singlesFrom the first step whose responses are also kept one by one
     */
    public Recorder(long originNanos, long windowNanos, int singlesFrom, Consumer<Snapshot> out) {
        if (windowNanos < 1) {
            throw new IllegalArgumentException("a window must have at least 1 ns, found " + windowNanos);
        }
        this.originNanos = originNanos;
        this.windowNanos = windowNanos;
        this.singlesFrom = singlesFrom;
        this.out = out;
        this.startNanos = originNanos;
    }

    /** Records operations that were due at {@code dueNanos}, sent or not. */
    public void due(int step, long dueNanos, int count) {
        at(step, dueNanos).add(Count.DUE, count);
    }

    /**
     * Records messages that the client got; times are per operation. {@code backpressureNanos} is how much earlier they
     * would have been sent if earlier calls had returned at once.
     */
    public void sent(
            int step,
            int operations,
            int messages,
            long dueNanos,
            long sentNanos,
            long queuedNanos,
            long backpressureNanos,
            long bytes) {
        Numbers numbers = at(step, sentNanos);
        numbers.add(Count.SENT, messages);
        numbers.add(Count.BEGAN_NANOS, sinceOrigin(sentNanos));
        numbers.add(Count.BYTES_SENT, bytes);
        numbers.recorded(LatencyKind.BACKPRESSURE).record(backpressureNanos, operations);
        numbers.recorded(LatencyKind.LATE).record(sentNanos - dueNanos - backpressureNanos, operations);
        numbers.recorded(LatencyKind.BLOCKED).record(queuedNanos - sentNanos, operations);
    }

    public void acked(
            int step, int operations, int messages, long dueNanos, long sentNanos, long ackedNanos, long bytes) {
        Numbers numbers = at(step, ackedNanos);
        numbers.add(Count.ACKED, messages);
        numbers.add(Count.OPERATIONS, operations);
        numbers.add(Count.ENDED_NANOS, sinceOrigin(ackedNanos));
        numbers.add(Count.BYTES_ACKED, bytes);
        responded(numbers, step, operations, ackedNanos - dueNanos);
        numbers.recorded(LatencyKind.SERVICE).record(ackedNanos - sentNanos, operations);
    }

    private void responded(Numbers numbers, int step, int operations, long nanos) {
        numbers.recorded(LatencyKind.RESPONSE).record(nanos, operations);
        if (step >= singlesFrom) {
            numbers.singles().add(nanos, operations);
        }
    }

    private void respondedAtLeast(Numbers numbers, int step, int operations, long nanos) {
        numbers.recorded(LatencyKind.RESPONSE).recordAtLeast(nanos, operations);
        numbers.recorded(LatencyKind.BOUND).record(nanos, operations);
        if (step >= singlesFrom) {
            numbers.singles().add(nanos, operations);
        }
    }

    /** Records the acked messages of a failed operation, without a latency. */
    public void ackedInPart(int step, int messages, long ackedNanos) {
        at(step, ackedNanos).add(Count.ACKED, messages);
    }

    /** Failures have the response {@code max(elapsed, timeoutNanos)}, so that they improve no percentile. */
    public void failed(
            int step,
            int operations,
            int messages,
            long dueNanos,
            long sentNanos,
            long failedNanos,
            long timeoutNanos) {
        Numbers numbers = at(step, failedNanos);
        numbers.add(Count.FAILED, messages);
        long bound = Math.max(failedNanos - dueNanos, timeoutNanos);
        respondedAtLeast(numbers, step, operations, bound);
        numbers.recorded(LatencyKind.FAILURE).record(failedNanos - dueNanos, operations);
        numbers.recorded(LatencyKind.SERVICE)
                .recordAtLeast(Math.max(failedNanos - sentNanos, timeoutNanos), operations);
    }

    /** Records messages of an aborted transaction, without a latency. */
    public void aborted(int step, int count, long abortedNanos) {
        at(step, abortedNanos).add(Count.ABORTED, count);
    }

    public void part(LatencyKind part, int step, long endNanos, long nanos) {
        at(step, endNanos).recorded(part).record(nanos, 1);
    }

    /** Records sent messages without an outcome. The elapsed time is a lower bound of response and service. */
    public void unresolved(
            int step, int operations, int messages, long dueNanos, long sentNanos, long endOfDrainNanos) {
        Numbers numbers = at(step, endOfDrainNanos);
        numbers.add(Count.UNRESOLVED, messages);
        if (measured(step)) {
            respondedAtLeast(numbers, step, operations, endOfDrainNanos - dueNanos);
            numbers.recorded(LatencyKind.SERVICE).recordAtLeast(endOfDrainNanos - sentNanos, operations);
        }
    }

    /**
     * Records messages that were due but never sent. The time until the end of the drain is a lower bound of their
     * response. The generator caused {@code lateNanos} of it.
     */
    public void unsent(int step, int operations, int messages, long dueNanos, long endOfDrainNanos, long lateNanos) {
        Numbers numbers = at(step, endOfDrainNanos);
        numbers.add(Count.UNSENT, messages);
        if (measured(step)) {
            respondedAtLeast(numbers, step, operations, endOfDrainNanos - dueNanos);
            numbers.recorded(LatencyKind.LATE).record(lateNanos, operations);
        }
    }

    /** Excludes messages of the warm-up from latencies, which they would distort; they are only counted. */
    private static boolean measured(int step) {
        return step >= Steps.MEASURE;
    }

    public void received(int step, int count, long dueNanos, long receivedNanos, long bytes) {
        Numbers numbers = arrived(step, count, receivedNanos, bytes);
        long nanos = receivedNanos - dueNanos;
        numbers.recorded(LatencyKind.E2E).record(nanos, count);
        if (nanos < 0) {
            numbers.recorded(LatencyKind.EARLY).record(-nanos, count);
        }
    }

    /** Records messages of a backlog, without a latency. */
    public void read(int step, int count, long receivedNanos, long bytes) {
        var unused = arrived(step, count, receivedNanos, bytes);
    }

    private Numbers arrived(int step, int count, long receivedNanos, long bytes) {
        Numbers numbers = at(step, receivedNanos);
        numbers.add(Count.RECEIVED, count);
        numbers.add(Count.ENDED_NANOS, sinceOrigin(receivedNanos));
        numbers.add(Count.BYTES_RECEIVED, bytes);
        return numbers;
    }

    /** Messages acked during {@code step}, even if due earlier. They give the step's rate. */
    public void ackedDuring(int step, int operations, int messages, long ackedNanos, long bytes) {
        Numbers numbers = at(step, ackedNanos);
        numbers.add(Count.ACKED_DURING, messages);
        numbers.add(Count.OPERATIONS_DURING, operations);
        numbers.add(Count.BYTES_ACKED_DURING, bytes);
    }

    public void receivedDuring(int step, int count, long receivedNanos, long bytes) {
        Numbers numbers = at(step, receivedNanos);
        numbers.add(Count.RECEIVED_DURING, count);
        numbers.add(Count.BYTES_RECEIVED_DURING, bytes);
    }

    /** Delivers the window if it is over. A thread without events must call this regularly. */
    public void tick(long nowNanos) {
        if (nowNanos - startNanos >= windowNanos) {
            flip(index(nowNanos));
        }
    }

    public void close() {
        flip(current.index());
    }

    private Numbers at(int step, long eventNanos) {
        long inside = eventNanos - startNanos;
        return inside >= 0 && inside < windowNanos ? current.at(step) : elsewhere(step, eventNanos);
    }

    private Numbers elsewhere(int step, long eventNanos) {
        long index = index(eventNanos);
        if (index > current.index()) {
            flip(index);
            return current.at(step);
        }
        if (index != late.index()) {
            hand(late, index);
        }
        return late.at(step);
    }

    private long sinceOrigin(long nanos) {
        return Math.max(0, nanos - originNanos);
    }

    private long index(long nanos) {
        return Math.max(0, Math.floorDiv(nanos - originNanos, windowNanos));
    }

    private void flip(long index) {
        hand(late, index);
        hand(current, index);
        startNanos = originNanos + index * windowNanos;
    }

    private void hand(Snapshot snapshot, long nextIndex) {
        if (!snapshot.empty()) {
            out.accept(snapshot);
        }
        snapshot.clear(nextIndex);
    }
}
