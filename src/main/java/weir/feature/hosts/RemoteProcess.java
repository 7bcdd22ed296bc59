package weir.feature.hosts;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import weir.feature.hosts.HostCalls.Started;
import weir.host.Child;
import weir.host.ProcessAction;
import weir.io.Io;
import weir.worker.LocalWorker;
import weir.worker.WorkerFailed;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;

/** A process on another host, with a link to its input and output; its log file is on this machine. */
final class RemoteProcess implements Link {
    private static final int UNSEEN = -1;
    private static final int KILLED = 137;
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final int LINES = 200;
    private static final int ROOM = 256 << 10;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    /** The wait for the end of a program, above the five seconds of its agent. */
    private static final Duration ENDING = Duration.ofSeconds(15);

    private final RemoteHost host;
    private final int channel;
    private final String name;
    private final Path log;
    private final PipedOutputStream output = new PipedOutputStream();
    private final DataInputStream in;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    /** Completes with the exit code, or with {@link #UNSEEN} if the host is lost first. */
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private volatile @Nullable Started there;
    private volatile boolean killed;

    RemoteProcess(RemoteHost host, int channel, String name, Path log) {
        this.host = host;
        this.channel = channel;
        this.name = name;
        this.log = log;
        this.in =
                Io.attempt("connecting two new streams", () -> new DataInputStream(new PipedInputStream(output, ROOM)));
    }

    long pid() {
        return Objects.requireNonNull(there).pid();
    }

    Child child() {
        return new RemoteChild();
    }

    void started(Started started) {
        there = started;
    }

    void received(Kind kind, DataInputStream content) throws IOException {
        switch (kind) {
            case CHANNEL -> receiveOutput(content.readAllBytes());
            case LOG -> Files.write(log, content.readAllBytes(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            case ENDED -> ended(content.readInt(), content.readUTF());
            default -> throw new IOException("a process does not send " + kind);
        }
    }

    private void receiveOutput(byte[] piece) {
        try {
            output.write(piece);
            output.flush();
        } catch (IOException unread) {
            // The output was closed, or its reader has ended.
            return;
        }
    }

    private void ended(int code, String failure) {
        killed = failure.isEmpty() && code == KILLED;
        exit.complete(failure.isEmpty() ? code : UNSEEN);
        over(
                failure.isEmpty()
                        ? LocalWorker.exitMessage(place(), code, lastLines(LINES), log)
                        : LocalWorker.exitMessage(place() + failure, List.of(), log));
    }

    void lost(String why) {
        over(LocalWorker.exitMessage(place() + "is lost: " + why, LocalWorker.reasons(lastLines(LINES)), log));
        exit.complete(UNSEEN);
    }

    private void over(String why) {
        ended.complete(why);
        endOutput();
    }

    private void endOutput() {
        Io.attempt("closing the output of " + name, output::close);
    }

    private String place() {
        Started started = there;
        return name + (started == null ? "" : " " + started.pid()) + " on host '" + host.name() + "' ";
    }

    private List<String> lastLines(int count) {
        return Files.isRegularFile(log) ? Child.lastLines(log, count) : List.of();
    }

    static <T> T within(Duration limit, CompletableFuture<T> future, String doing) throws TimeoutException {
        try {
            return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failed ? failed : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + doing, e);
        }
    }

    String reason() {
        try {
            String why = within(LAST_WORDS, ended, name + " ended on host '" + host.name() + "'");
            // A pod kills its processes before the pod itself ends. The wait is short, because this thread also listens
            // to the host.
            String reason = killed ? host.lossReason(SOON) : "";
            return reason.isEmpty() ? why : LocalWorker.exitMessage(place() + "was killed: " + reason, List.of(), log);
        } catch (TimeoutException silent) {
            return place() + "stopped answering (log: " + log + ")";
        }
    }

    @Override
    public void send(LinkFrame frame) throws IOException {
        host.send(LinkFrame.of(Kind.CHANNEL, out -> {
            out.writeInt(channel);
            frame.write(out);
        }));
    }

    @Override
    public LinkFrame receive() throws IOException {
        return LinkFrame.read(in);
    }

    private void finish() throws IOException {
        host.send(LinkFrame.of(Kind.CLOSE, out -> out.writeInt(channel)));
    }

    @Override
    public void close() {
        endOutput();
        Started started = there;
        try {
            if (started != null && !ended.isDone()) {
                finish();
                Duration limit = Duration.ofNanos(started.endingNanos()).plus(TIMEOUT);
                within(limit, ended, name + " ended on host '" + host.name() + "'");
            }
        } catch (IOException lost) {
            ended.complete(String.valueOf(lost.getMessage()));
        } catch (TimeoutException e) {
            throw new UncheckedIOException(
                    new IOException(name + " on host '" + host.name() + "' did not end on request"));
        } finally {
            host.forget(channel);
        }
    }

    /** The same process as a {@link Child}. The child counts as ended when the host is lost. */
    private final class RemoteChild implements Child {
        @Override
        public String name() {
            return name;
        }

        @Override
        public long pid() {
            return RemoteProcess.this.pid();
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return exit;
        }

        @Override
        public boolean alive() {
            return !exit.isDone();
        }

        @Override
        public boolean endsWithin(Duration limit) {
            try {
                within(limit, exit, "waiting for the end of " + name);
                return true;
            } catch (TimeoutException still) {
                return false;
            }
        }

        @Override
        public List<String> lastLines(int count) {
            List<String> lines = new ArrayList<>(RemoteProcess.this.lastLines(count));
            if (host.isLost()) {
                lines.add("host '" + host.name() + "' is lost: " + host.lost());
            }
            return lines;
        }

        @Override
        public void signal(ProcessAction action) {
            if (action == ProcessAction.KILL && (!alive() || host.isLost())) {
                return;
            }
            try {
                host.send(LinkFrame.of(Kind.SIGNAL, out -> {
                    out.writeInt(channel);
                    out.writeUTF(action.name());
                }));
            } catch (IOException e) {
                throw new WorkerFailed("host '" + host.name() + "': " + e.getMessage());
            }
        }

        @Override
        public void endTree() {
            if (!alive()) {
                return;
            }
            try {
                finish();
            } catch (IOException lost) {
                throw new WorkerFailed(String.valueOf(lost.getMessage()));
            }
            gone();
        }

        @Override
        public void close() {
            kill();
            gone();
            host.forget(channel);
        }

        private void gone() {
            if (!endsWithin(ENDING)) {
                throw new WorkerFailed(name + " " + pid() + " on host '" + host.name() + "' did not end");
            }
        }
    }
}
