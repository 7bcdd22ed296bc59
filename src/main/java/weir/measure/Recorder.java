package weir.measure;

import java.util.function.Consumer;

/** Records what happens to messages, window by window, for the one thread that owns it. */
@SuppressWarnings("DoNotCallSuggester")
public final class Recorder {
    /**
     * {@code out} gets each window when it is over, on the recording thread, and must have taken what it needs (by
     * {@link Series#add} or {@link Snapshot#copy}) when it returns: the snapshot is used again. A window may come more
     * than once, when events of it are recorded late; all parts add up.
     */
    public Recorder(long originNanos, long windowNanos, Consumer<Snapshot> out) {
        throw new UnsupportedOperationException();
    }

    /** Operations that the schedule wanted at {@code dueNanos}, sent or not. */
    public void due(int step, long dueNanos, int count) {
        throw new UnsupportedOperationException();
    }

    /** Messages handed to the client. {@code heldNanos} is what an earlier blocked call explains of sent − due. */
    public void sent(int step, int count, long dueNanos, long sentNanos, long queuedNanos, long heldNanos, long bytes) {
        throw new UnsupportedOperationException();
    }

    public void acked(int step, int count, long dueNanos, long sentNanos, long ackedNanos, long bytes) {
        throw new UnsupportedOperationException();
    }

    /** Failures enter at max(elapsed, {@code timeoutNanos}), so that they improve no percentile. */
    public void failed(int step, int count, long dueNanos, long sentNanos, long failedNanos, long timeoutNanos) {
        throw new UnsupportedOperationException();
    }

    /** Messages of a transaction that was aborted: counted, without a latency. */
    public void aborted(int step, int count, long abortedNanos) {
        throw new UnsupportedOperationException();
    }

    /** Sent, and neither acked nor failed when the drain ended: response and service are at least this long. */
    public void unresolved(int step, int count, long dueNanos, long sentNanos, long endOfDrainNanos) {
        throw new UnsupportedOperationException();
    }

    /** Due and never sent: response is at least this long. */
    public void unsent(int step, int count, long dueNanos, long endOfDrainNanos) {
        throw new UnsupportedOperationException();
    }

    public void received(int step, int count, long dueNanos, long receivedNanos, long bytes) {
        throw new UnsupportedOperationException();
    }

    /** Messages of a backlog, which nobody was waiting for: counted and without e2e. */
    public void read(int step, int count, long receivedNanos, long bytes) {
        throw new UnsupportedOperationException();
    }

    /** Hands over the window if it is over; a thread without events calls it now and then. */
    public void tick(long nowNanos) {
        throw new UnsupportedOperationException();
    }

    /** Hands over what is left. */
    public void close() {
        throw new UnsupportedOperationException();
    }
}
