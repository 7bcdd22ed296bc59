package weir.measure;

/** Counts and latencies of some messages. Those returned by others are not to be changed; {@link #plus} makes new ones. */
@SuppressWarnings("DoNotCallSuggester")
public final class Numbers {
    public long due() {
        throw new UnsupportedOperationException();
    }

    public long unsent() {
        throw new UnsupportedOperationException();
    }

    public long sent() {
        throw new UnsupportedOperationException();
    }

    public long acked() {
        throw new UnsupportedOperationException();
    }

    public long failed() {
        throw new UnsupportedOperationException();
    }

    public long aborted() {
        throw new UnsupportedOperationException();
    }

    public long unresolved() {
        throw new UnsupportedOperationException();
    }

    public long received() {
        throw new UnsupportedOperationException();
    }

    public long bytesSent() {
        throw new UnsupportedOperationException();
    }

    public long bytesAcked() {
        throw new UnsupportedOperationException();
    }

    public long bytesReceived() {
        throw new UnsupportedOperationException();
    }

    public Latency latency(Metric metric) {
        throw new UnsupportedOperationException();
    }

    public Numbers plus(Numbers other) {
        throw new UnsupportedOperationException();
    }
}
