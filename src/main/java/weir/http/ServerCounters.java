package weir.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.atomic.LongAdder;

/** The counts of a server since its start, as far as they do not depend on what it is there for. */
public final class ServerCounters {
    private final LongAdder refused = new LongAdder();
    private final LongAdder full = new LongAdder();
    private final LongAdder connections = new LongAdder();

    /** Counts a request that was wrong, too large, too slow or not allowed. */
    public void countRefused() {
        refused.increment();
    }

    /** Counts a request that is answered so, and not carried out. */
    public void count(int status) {
        (status == HttpResponseStatus.TOO_MANY_REQUESTS.code() ? full : refused).increment();
    }

    /** Counts a request for which there was no room for as long as it may wait. */
    public void countFull() {
        full.increment();
    }

    /** One more connection, or one less. */
    void connection(int change) {
        connections.add(change);
    }

    public long refused() {
        return refused.sum();
    }

    public long full() {
        return full.sum();
    }

    /** Connections that are open. */
    public long connections() {
        return connections.sum();
    }
}
