package weir.load.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import weir.wire.BrokerAccess;
import weir.wire.Connection;
import weir.wire.Endpoint;

/**
 * Opens connections on spare threads: a paused broker takes a connection and then says nothing, and nobody who has messages
 * to send may wait for that.
 */
final class ConnectionOpener implements AutoCloseable {
    private final BrokerAccess access;
    private final Connection.Options options;
    private final Pauses pauses;
    private final ExecutorService threads;

    /**
     * The receiver of the outcome of a call, on a spare thread: hand over and wake up, no more. A connection not wanted
     * any more is to close.
     */
    interface Caller {
        void connected(Connection connection);

        void failed(IOException why);
    }

    /**
     * Time for things, in milliseconds.
     *
     * @param limit to open one connection
     * @param pause after the first failure, doubled with each up to {@code longest}
     */
    record Pauses(long limit, long pause, long longest) {}

    ConnectionOpener(BrokerAccess access, Connection.Options options, Pauses pauses) {
        this.access = access;
        this.options = options;
        this.pauses = pauses;
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "weir-dialer");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Tells the caller once.
     *
     * @param failures in a row before this attempt; the more, the longer the pause before it
     */
    void dial(Endpoint at, int failures, Caller caller) {
        try {
            threads.execute(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep(pause(failures));
                    caller.connected(Connection.open(at, access, options, Duration.ofMillis(pauses.limit)));
                } catch (IOException e) {
                    caller.failed(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    caller.failed(new IOException("interrupted", e));
                }
            });
        } catch (RejectedExecutionException e) {
            caller.failed(new IOException("the engine is closed", e));
        }
    }

    /** Waits for it, for whoever has time. */
    Connection open(Endpoint at) throws IOException {
        return Connection.open(at, access, options, Duration.ofMillis(pauses.limit));
    }

    private long pause(int failures) {
        if (failures == 0) {
            return 0;
        }
        double pause = pauses.pause * Math.pow(2, Math.min(failures - 1, 20));
        // Jitter as the clients have it, so that many senders do not come back at once.
        return (long) (Math.min(pause, (double) pauses.longest)
                * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
