package weir.feature.kubernetes;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.hosts.LinkCall;
import weir.io.Io;
import weir.plan.read.Hash;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.worker.link.LinkFrame;
import weir.worker.link.Pipes;

/**
 * The server of the conductor in a pod, for a client outside of the cluster, through a forwarded port. It receives
 * files, starts the run, reports the progress of the run, and sends the files of the run folder. It listens only on
 * loopback.
 */
public final class ConductorServer implements AutoCloseable {
    public static final int PORT = 7412;

    static final String READY = "conductor-listens";

    /** Bytes of a piece; a third more as JSON. A WebSocket that forwards a port stalls on larger messages. */
    static final int PIECE = 64 << 10;

    private static final int LONGEST = 1 << 20;

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    /** The limit for the call of a client after it has connected. */
    private static final Duration CALLED = Duration.ofSeconds(10);
    /** The time for the report after a request to end. Kubernetes kills the pod shortly after. */
    private static final Duration ENDING = Duration.ofSeconds(25);

    /** The limit between two calls of a client that shows the progress of a run. */
    private static final Duration FOLLOWED = Duration.ofSeconds(5);

    private final Path home;
    private final Path log;
    private final String build;
    private final RunStarter starter;
    private final ServerSocket door;
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable Process process;
    private final LongSupplier clock = MachineClock.STEADY;
    private volatile long asked = clock.getAsLong();
    private volatile boolean ends;

    public interface RunStarter {
        Process start(Path log) throws IOException;
    }

    /** The calls of the client. A call may be repeated, because its answer may be lost. */
    enum Op {
        ABOUT,
        HAS,
        /** Receives a piece of a file: path, offset, bytes, and the hash of the file with the last piece. */
        TAKE,
        START,
        STOP,
        PROGRESS,
        FOLDER,
        READ,
        DONE
    }

    /** {@code clockMillis} is the time of the pod's node, in milliseconds since 1970. */
    record ConductorInfo(String build, long clockMillis) {}

    record ListedFile(long size, String sha256, String path) {}

    /**
     * @param until offset at which the next part begins
     * @param exit code of the run in the last part; negative in other parts
     */
    record Progress(String text, long until, int exit) {}

    /**
     * @param home folder of received files and of the runs folder
     * @param port on loopback; 0 for any free port
     */
    public ConductorServer(Path home, int port, String build, RunStarter starter) throws IOException {
        this.home = home.toAbsolutePath().normalize();
        this.log = this.home.resolve("progress.log");
        this.build = build;
        this.starter = starter;
        this.door = new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
        DaemonThreads.start("weir-conductor-door", this::accept);
        // A client that connects before the server listens would wait forever on its forwarded port.
        Files.write(this.home.resolve(READY), new byte[0]);
    }

    int port() {
        return door.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = door.accept();
                DaemonThreads.start("weir-conductor-caller", () -> serve(caller));
            }
        } catch (IOException closed) {
            return;
        }
    }

    /** Answers the only call of a connection. */
    private void serve(Socket caller) {
        try (caller;
                Pipes answers = new Pipes(caller.getInputStream(), caller.getOutputStream())) {
            caller.setTcpNoDelay(true);
            caller.setSoTimeout(Math.toIntExact(CALLED.toMillis()));
            LinkFrame frame = LinkFrame.read(new DataInputStream(caller.getInputStream()), LONGEST);
            // A port may accept one more connection while it closes.
            if (door.isClosed()) {
                return;
            }
            if (frame.kind() != LinkFrame.Kind.CALL) {
                throw new IOException("a client does not send " + frame.kind());
            }
            asked = clock.getAsLong();
            LinkCall call = LinkCall.read(frame);
            answers.send(call.answered(this::answer));
            if (call.op().equals(Op.DONE.name())) {
                done.countDown();
            }
        } catch (IOException | IllegalStateException stranger) {
            // The caller is gone or not authenticated.
            return;
        }
    }

    private Object answer(LinkCall call) throws IOException {
        return switch (Op.valueOf(call.op())) {
            case ABOUT -> new ConductorInfo(build, MachineClock.WALL.millis());
            case HAS -> Files.isRegularFile(below(call));
            case TAKE ->
                LinkCall.done(() -> take(
                        below(call), call.word(1, Long.class), call.word(2, byte[].class), call.word(3, String.class)));
            case START -> LinkCall.done(this::start);
            case STOP -> LinkCall.done(this::stop);
            case PROGRESS -> progress(call.word(0, Long.class));
            case FOLDER -> folder();
            case READ -> read(below(call), call.word(1, Long.class));
            case DONE -> "";
        };
    }

    private Path below(LinkCall call) {
        Path path = home.resolve(call.path(0)).normalize();
        if (!path.startsWith(home) || path.equals(home)) {
            throw new IllegalArgumentException("'" + call.path(0) + "' must be below the home of the conductor");
        }
        return path;
    }

    /** Writes a piece at its offset, over the rest of an interrupted attempt. */
    private static void take(Path file, long from, byte[] piece, String sha256) throws IOException {
        if (!sha256.isEmpty() && Files.exists(file) && Hash.of(file).equals(sha256)) {
            return;
        }
        Files.createDirectories(file.resolveSibling(""));
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (RandomAccessFile out = new RandomAccessFile(part.toFile(), "rw")) {
            if (from > out.length()) {
                throw new IllegalArgumentException(
                        "a piece must begin at byte " + out.length() + ", found '" + from + "'");
            }
            out.seek(from);
            out.write(piece);
            out.setLength(out.getFilePointer());
        }
        if (!sha256.isEmpty()) {
            if (!Hash.of(part).equals(sha256)) {
                Files.delete(part);
                throw new IllegalArgumentException("'" + file.getFileName() + "' does not have the given hash");
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    public synchronized void start() {
        if (process == null) {
            process = Io.attempt("starting the run", () -> starter.start(log));
        }
    }

    private synchronized void stop() {
        Process running = process;
        if (running != null && running.isAlive()) {
            running.destroy();
        }
    }

    private synchronized @Nullable Process process() {
        return process;
    }

    private Progress progress(long from) throws IOException {
        Process running = process();
        var unused = MachineClock.within(TIMEOUT)
                .awaits(() -> log.toFile().length() > from || running == null || !running.isAlive(), POLL_INTERVAL);
        // The process is read before the log, so that an answer with the exit code has the whole rest of the log.
        int exit = running == null || running.isAlive() ? -1 : running.exitValue();
        ByteBuffer bytes = ByteBuffer.wrap(read(log, from));
        CharBuffer text = CharBuffer.allocate(bytes.limit());
        StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .decode(bytes, text, false);
        return new Progress(text.flip().toString(), from + bytes.position(), bytes.limit() < PIECE ? exit : -1);
    }

    private static byte[] read(Path file, long from) throws IOException {
        if (!Files.exists(file)) {
            return new byte[0];
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] piece = new byte[(int) Math.max(0, Math.min(PIECE, in.length() - from))];
            in.seek(from);
            in.readFully(piece);
            return piece;
        }
    }

    private List<ListedFile> folder() throws IOException {
        List<ListedFile> listed = new ArrayList<>();
        Path runs = home.resolve("runs");
        if (Files.isDirectory(runs)) {
            try (Stream<Path> all = Files.walk(runs)) {
                for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                    listed.add(new ListedFile(
                            Files.size(file),
                            Hash.of(file),
                            home.relativize(file).toString()));
                }
            }
        }
        return listed;
    }

    /** Ends the run. A client can still fetch the results. Callable from another thread. */
    public void end() {
        ends = true;
        stop();
    }

    /**
     * Waits until a client has the results, or for {@code timeout} without a call after the run.
     *
     * @return exit code of the run
     */
    public int await(Duration timeout) throws InterruptedException {
        return await(timeout, FOLLOWED);
    }

    /** {@code followed} is the time without a call after which the wait ends if the run must end. */
    int await(Duration timeout, Duration followed) throws InterruptedException {
        long poll = Math.min(Math.min(timeout.toMillis(), followed.toMillis()), TimeUnit.SECONDS.toMillis(1));
        long lived = clock.getAsLong();
        while (!done.await(poll, TimeUnit.MILLISECONDS)) {
            Process running = process();
            if (running != null && running.isAlive()) {
                lived = clock.getAsLong();
            } else {
                Duration silent = ends ? followed : timeout;
                if (clock.getAsLong() - Math.max(lived, asked) > silent.toNanos()) {
                    break;
                }
            }
        }
        Process ended = process();
        return ended == null || ended.isAlive() ? 1 : ended.exitValue();
    }

    @Override
    public void close() {
        Process running = process();
        if (running != null) {
            running.destroy();
            try {
                if (!running.waitFor(ENDING.toMillis(), TimeUnit.MILLISECONDS)) {
                    running.destroyForcibly();
                }
            } catch (InterruptedException e) {
                running.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        Io.attempt("closing " + door, door::close);
    }
}
