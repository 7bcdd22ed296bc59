package weir.run;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weir.cluster.admin.Topics.TopicPartitionLeader;
import weir.run.lab.Lab;

/** A guard that stops a trial before a disk is full, or before an external cluster loses replicas. */
final class DiskGuard implements Runnable {
    private static final long UNDER_REPLICATED_NANOS = 10_000_000_000L;

    private final Lab lab;
    private final List<Path> folders;
    private final Supplier<List<TopicPartitionLeader>> underReplicated;
    private final Consumer<String> stop;
    private long badSince = Long.MAX_VALUE;
    private boolean over;

    DiskGuard(
            Lab lab, List<Path> folders, Supplier<List<TopicPartitionLeader>> underReplicated, Consumer<String> stop) {
        this.lab = lab;
        this.folders = List.copyOf(folders);
        this.underReplicated = underReplicated;
        this.stop = stop;
    }

    @Override
    public void run() {
        if (over) {
            return;
        }
        String found;
        try {
            found = found();
        } catch (RuntimeException blind) {
            if (Thread.currentThread().isInterrupted()) {
                // The end of the trial interrupted the query.
                return;
            }
            // Without an answer, the guard cannot protect the cluster.
            Throwable cause = blind.getCause();
            Throwable why = blind instanceof UncheckedIOException && cause != null ? cause : blind;
            found = "Weir can no longer watch the free disk space and the replicas: " + why.getMessage();
        }
        if (!found.isEmpty()) {
            over = true;
            stop.accept(found);
        }
    }

    private String found() {
        for (Path folder : folders) {
            if (lab.diskRoom(folder).usable() < 0) {
                return "the disk behind " + folder + " has less free space than the reserve of 5 % or 4 GiB";
            }
        }
        List<TopicPartitionLeader> bad = underReplicated.get();
        long now = lab.nanos();
        if (bad.isEmpty()) {
            badSince = Long.MAX_VALUE;
        } else if (badSince == Long.MAX_VALUE) {
            badSince = now;
        } else if (now - badSince > UNDER_REPLICATED_NANOS) {
            return "replicas of the run's topics have been out of sync for 10 s: " + bad;
        }
        return "";
    }
}
