package weir.measure;

/**
 * Where the messages of one producer went. The sending thread owns {@code due}, {@code next} and {@code unsent}; the thread of the
 * acknowledgements owns {@code acked}; the others may come from any thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class SentLedger {
    SentLedger() {}

    public int producer() {
        throw new UnsupportedOperationException();
    }

    /** The schedule wanted so many messages. */
    public void due(int step, int count) {
        throw new UnsupportedOperationException();
    }

    /** Takes the numbers of {@code count} messages that are sent now and returns the first. Steps never go back. */
    public long next(int step, int count) {
        throw new UnsupportedOperationException();
    }

    /** Due, and given up before it was sent. */
    public void unsent(int step, int count) {
        throw new UnsupportedOperationException();
    }

    public void acked(long first, int count) {
        throw new UnsupportedOperationException();
    }

    public void failed(long first, int count) {
        throw new UnsupportedOperationException();
    }

    public void aborted(long first, int count) {
        throw new UnsupportedOperationException();
    }

    /** Neither acked, failed nor aborted when the drain ended. */
    public void unresolved(long first, int count) {
        throw new UnsupportedOperationException();
    }
}
