package weir.load.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import weir.time.DaemonThreads;
import weir.wire.BrokerAccess;
import weir.wire.Connection;
import weir.wire.Endpoint;

/**
 * An opener of connections on separate threads. A paused broker accepts a connection and then sends nothing. A sender
 * with due messages must not wait for such a broker.
 */
final class ConnectionOpener implements AutoCloseable {
    private final BrokerAccess access;
    private final Connection.Options options;
    private final Pauses pauses;
    private final ExecutorService threads;

    interface Caller {
        void connected(Connection connection) throws IOException;

        void failed(IOException why) throws IOException;
    }

    /**
     * Time limits and pauses, in milliseconds.
     *
     * @param pause the pause after the first failure; each further failure doubles it, up to {@code longest}
     */
    record Pauses(long limit, long pause, long longest) {}

    ConnectionOpener(BrokerAccess access, Connection.Options options, Pauses pauses) {
        this.access = access;
        this.options = options;
        this.pauses = pauses;
        this.threads = Executors.newCachedThreadPool(DaemonThreads.named("weir-dialer"));
    }

    /**
     * Opens a connection and calls the caller once.
     *
     * @param failures the number of consecutive failures before this attempt, which make the pause longer
     */
    void dial(Endpoint at, int failures, Mailbox mailbox, Caller caller) {
        try {
            threads.execute(() -> {
                try {
                    TimeUnit.MILLISECONDS.sleep(pause(failures));
                    Connection opened = Connection.open(at, access, options, Duration.ofMillis(pauses.limit));
                    mailbox.post(() -> caller.connected(opened), opened::close);
                } catch (IOException e) {
                    mailbox.post(() -> caller.failed(e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    mailbox.post(() -> caller.failed(new IOException("interrupted", e)));
                }
            });
        } catch (RejectedExecutionException e) {
            mailbox.post(() -> caller.failed(new IOException("the engine is closed", e)));
        }
    }

    private long pause(int failures) {
        if (failures == 0) {
            return 0;
        }
        double pause = pauses.pause * Math.pow(2, Math.min(failures - 1, 20));
        // As in Kafka's clients, jitter prevents many senders from reconnecting at once.
        return (long) (Math.min(pause, (double) pauses.longest)
                * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
