package weir.bridge;

import java.time.Duration;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** The topics of a cluster, asked for every other second. */
final class PolledTopics implements KnownTopics {
    private static final int EVERY_MILLIS = 2_000;
    private static final int PATIENCE_SECONDS = 20;

    private final Admin admin;
    private final Thread thread = new Thread(this::run, "weir-gateway-topics");
    private volatile Set<String> topics = Set.of();

    private PolledTopics(Admin admin) {
        this.admin = admin;
        this.thread.setDaemon(true);
    }

    /** Returns when they are known. */
    static PolledTopics of(SortedMap<String, String> client) {
        SortedMap<String, Object> known = new TreeMap<>(client);
        known.keySet().retainAll(AdminClientConfig.configNames());
        PolledTopics all = new PolledTopics(Admin.create(known));
        try {
            all.ask();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            all.admin.close(Duration.ZERO);
            throw e;
        }
        all.thread.start();
        return all;
    }

    @Override
    public boolean has(String topic) {
        return topics.contains(topic);
    }

    private void ask() throws InterruptedException {
        try {
            topics = Set.copyOf(admin.listTopics().names().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            Throwable why = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            throw new IllegalStateException("asking for the topics: " + why, e);
        }
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(EVERY_MILLIS);
                askAgain();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void askAgain() throws InterruptedException {
        try {
            ask();
        } catch (IllegalStateException away) {
            // Those that were there last are as good a guess as any until a broker answers again.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        admin.close(Duration.ZERO);
    }
}
