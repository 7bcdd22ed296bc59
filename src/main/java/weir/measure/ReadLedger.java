package weir.measure;

/** What one reading thread saw. Owned by that thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class ReadLedger {
    ReadLedger() {}

    /** A message of this run. {@code partition} is an index into the ledger's partitions. */
    public void received(int partition, long offset, int producer, long sequence) {
        throw new UnsupportedOperationException();
    }

    /** A message without our run tag. */
    public void foreign(int partition, long offset) {
        throw new UnsupportedOperationException();
    }

    /** Offsets that were gone before they could be read. */
    public void expired(int partition, long offsets) {
        throw new UnsupportedOperationException();
    }

    /** The next offset to be read. */
    public void position(int partition, long position) {
        throw new UnsupportedOperationException();
    }

    /** Makes what was seen part of the ledger: once a window, before a partition is given away, and at the end. */
    public void handOver() {
        throw new UnsupportedOperationException();
    }
}
