package weir.worker.agent;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import weir.host.LastLines;
import weir.worker.LocalWorker;
import weir.worker.WorkerFailed;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;

/** A process on a host, as a link; its log is written here. */
final class RemoteProcess implements Link {
    private static final int UNSEEN = -1;
    private static final int KILLED = 137;
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int LINES = 200;
    private static final long STARTING_SECONDS = 60;
    private static final long PATIENCE_SECONDS = 5;
    private static final int LAST_WORDS_SECONDS = 2;

    private final RemoteHost host;
    private final int channel;
    private final String name;
    private final Path log;
    private final PieceStream pieces = new PieceStream();
    private final DataInputStream in = new DataInputStream(pieces);
    private final CompletableFuture<AgentFrames.Started> started = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    /** Completes with {@link #UNSEEN} for one that nobody can see any more. */
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private volatile boolean killed;

    RemoteProcess(RemoteHost host, int channel, String name, Path log) {
        this.host = host;
        this.channel = channel;
        this.name = name;
        this.log = log;
    }

    /** Waits until it is there. */
    long pid() {
        try {
            return started.get(STARTING_SECONDS, TimeUnit.SECONDS).pid();
        } catch (ExecutionException e) {
            throw new WorkerFailed(
                    name + " on host '" + host.name() + "' could not be started: " + ended.getNow("nobody says why"));
        } catch (TimeoutException e) {
            throw new WorkerFailed(
                    name + " on host '" + host.name() + "' was not started within " + STARTING_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " started on host '" + host.name() + "'", e);
        }
    }

    void started(AgentFrames.Started told) {
        started.complete(told);
    }

    void said(byte[] piece) throws IOException {
        pieces.put(piece);
    }

    void logged(byte[] piece) throws IOException {
        Files.write(log, piece, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void ended(AgentFrames.Ended told) {
        if (!told.failure().isEmpty()) {
            over(started.isDone() ? LocalWorker.told(place() + told.failure(), List.of(), log) : told.failure());
            exit.complete(UNSEEN);
            return;
        }
        exit.complete(told.exit());
        killed = told.exit() == KILLED;
        over(LocalWorker.told(place(), told.exit(), lastLines(), log));
    }

    /** Its host is lost. */
    void lost(String why) {
        over(LocalWorker.told(place() + "is lost: " + why, LocalWorker.reasons(lastLines()), log));
        exit.complete(UNSEEN);
    }

    /** Completes with its exit code. */
    CompletableFuture<Integer> exit() {
        return exit;
    }

    private void over(String why) {
        ended.complete(why);
        started.completeExceptionally(new IOException(why));
        pieces.end();
    }

    private String place() {
        AgentFrames.Started there = started.isCompletedExceptionally() ? null : started.getNow(null);
        return name + (there == null ? "" : " " + there.pid()) + " on host '" + host.name() + "' ";
    }

    private List<String> lastLines() {
        return Files.isRegularFile(log) ? LastLines.of(log, LINES) : List.of();
    }

    /** Why it ended; once its link is at its end, it has. */
    String told() {
        try {
            String why = ended.get(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
            // A pod that is ended kills its processes first. Whoever listens to the host must not wait for what others
            // know.
            String fate = killed ? host.fate(SOON) : "";
            return fate.isEmpty() ? why : LocalWorker.told(place() + "was killed: " + fate, List.of(), log);
        } catch (TimeoutException silent) {
            return place() + "does not answer any more (log: " + log + ")";
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ended on host '" + host.name() + "'", e);
        }
    }

    @Override
    public void send(LinkFrame frame) throws IOException {
        host.send(AgentFrames.inside(channel, frame));
    }

    @Override
    public LinkFrame receive() throws IOException {
        return LinkFrame.read(in);
    }

    /** Returns when the process has ended, or its host is lost. */
    @Override
    public void close() {
        pieces.end();
        AgentFrames.Started there = started.isCompletedExceptionally() ? null : started.getNow(null);
        if (there == null || ended.isDone()) {
            host.forget(channel);
            return;
        }
        try {
            host.send(LinkFrame.of(LinkFrame.Kind.CLOSE, out -> out.writeInt(channel)));
            ended.get(there.endingNanos() / 1_000_000_000 + PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException lost) {
            ended.complete(String.valueOf(lost.getMessage()));
        } catch (TimeoutException | ExecutionException e) {
            throw new UncheckedIOException(
                    new IOException(name + " on host '" + host.name() + "' does not end although it was asked to"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            host.forget(channel);
        }
    }

    /** Bytes that one thread puts in, in pieces, and another reads. It holds a few MiB; whoever puts in more waits. */
    static final class PieceStream extends InputStream {
        private static final long ROOM = 8 << 20;

        private final Deque<byte[]> pieces = new ArrayDeque<>();
        private int read;
        private long held;
        private boolean ended;

        /** Drops it when the end has been put in. */
        synchronized void put(byte[] piece) throws IOException {
            try {
                while (held > ROOM && !ended) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            if (!ended && piece.length > 0) {
                pieces.addLast(piece);
                held += piece.length;
                notifyAll();
            }
        }

        /** Ends the stream behind all that was put in. */
        synchronized void end() {
            ended = true;
            notifyAll();
        }

        @Override
        public synchronized int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public synchronized int read(byte[] into, int from, int length) throws IOException {
            Objects.checkFromIndexSize(from, length, into.length);
            if (length == 0) {
                return 0;
            }
            try {
                while (pieces.isEmpty() && !ended) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
            if (pieces.isEmpty()) {
                return -1;
            }
            byte[] piece = pieces.getFirst();
            int taken = Math.min(length, piece.length - read);
            System.arraycopy(piece, read, into, from, taken);
            read += taken;
            if (read == piece.length) {
                pieces.removeFirst();
                held -= piece.length;
                read = 0;
                notifyAll();
            }
            return taken;
        }

        private static IOException interrupted(InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IOException("interrupted while bytes were waited for", e);
        }
    }
}
