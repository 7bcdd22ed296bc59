package weir.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process that Weir started on a {@link Host}. */
public interface Child extends AutoCloseable {
    String name();

    long pid();

    CompletableFuture<Integer> exit();

    boolean alive();

    /** Waits for the end of the process; false if the process still runs at the limit. */
    boolean endsWithin(Duration limit);

    List<String> lastLines(int count);

    /** Sends the signal of an action other than a restart. */
    void signal(ProcessAction action);

    default void kill() {
        signal(ProcessAction.KILL);
    }

    /** Asks the process to end itself and its own children; kills it after five seconds. */
    void endTree();

    @Override
    void close();

    /** The last lines of a log, from its last 64 KiB. */
    static List<String> lastLines(Path log, int count) {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] tail = new byte[(int) Math.min(64 << 10, file.length())];
            file.seek(file.length() - tail.length);
            file.readFully(tail);
            List<String> lines =
                    new String(tail, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException e) {
            throw new UncheckedIOException("reading the end of " + log, e);
        }
    }

    /** Describes an exit. After a signal, the exit code is 128 plus the signal's number. */
    static String ending(int exitCode) {
        if (exitCode < 0) {
            return "was lost with its host";
        }
        int signal = exitCode - 128;
        if (signal <= 0 || signal > 64) {
            return "ended with exit code " + exitCode;
        }
        return "was killed (signal " + signal + (signal == 9 ? "; out of memory?" : "") + ")";
    }
}
