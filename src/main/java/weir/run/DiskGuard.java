package weir.run;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weir.cluster.admin.TopicPartitionLeader;

/** Ends a trial before it harms: a disk that fills up, a cluster of somebody else that loses its replicas. */
final class DiskGuard implements AutoCloseable {
    private static final double FREE_DISK = 0.05;
    private static final long UNDER_REPLICATED_NANOS = 10_000_000_000L;
    private static final long LOOK_MILLIS = 1_000;

    private final Path data;
    private final Supplier<List<TopicPartitionLeader>> underReplicated;
    private final Consumer<String> stop;
    private final Thread thread = new Thread(this::look, "weir-guard");
    private long badSince = Long.MAX_VALUE;

    /** Calls {@code stop} at most once, with the reason. */
    DiskGuard(Path data, Supplier<List<TopicPartitionLeader>> underReplicated, Consumer<String> stop) {
        this.data = data;
        this.underReplicated = underReplicated;
        this.stop = stop;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        try {
            String found = "";
            while (found.isEmpty()) {
                Thread.sleep(LOOK_MILLIS);
                found = found();
            }
            stop.accept(found);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException blind) {
            // A guard that cannot see is no guard.
            stop.accept("watching over the disk and the replicas: " + blind);
        }
    }

    private String found() throws IOException {
        FileStore store = Files.getFileStore(data);
        double free = (double) store.getUsableSpace() / store.getTotalSpace();
        if (free < FREE_DISK) {
            return String.format(Locale.ROOT, "only %.1f %% of the disk behind %s is free", free * 100, data);
        }
        List<TopicPartitionLeader> bad = underReplicated.get();
        long now = System.nanoTime();
        if (bad.isEmpty()) {
            badSince = Long.MAX_VALUE;
        } else if (badSince == Long.MAX_VALUE) {
            badSince = now;
        } else if (now - badSince > UNDER_REPLICATED_NANOS) {
            return "for 10 s replicas of our topics have not kept up: " + bad;
        }
        return "";
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
