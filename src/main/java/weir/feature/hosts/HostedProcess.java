package weir.feature.hosts;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import weir.host.LocalChild;
import weir.host.ProcessAction;
import weir.time.DaemonThreads;
import weir.time.TimeLimit;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.QueuedLink;

/** A process that an agent started. The conductor receives its output and log and writes its input. */
final class HostedProcess {
    private static final int PIECE = 64 << 10;
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    /** The limit in bytes of the queue for the process's input, above all commands together. */
    private static final long ROOM = 64 << 20;

    private final int channel;
    private final LocalChild child;
    private final Runnable end;
    private final Path log;
    private final QueuedLink conductor;
    private final QueuedLink input;
    private final TimeLimit deadline;
    private final Thread relay;
    private volatile String killed = "";

    private long logged;

    /**
     * @param input of the process, for a worker only; other input is discarded
     * @param deadline after which it is killed
     */
    HostedProcess(
            int channel,
            LocalChild child,
            OutputStream input,
            Runnable end,
            Path log,
            QueuedLink conductor,
            TimeLimit deadline) {
        this.channel = channel;
        this.child = child;
        this.end = end;
        this.log = log;
        this.conductor = conductor;
        this.deadline = deadline;
        this.input =
                new QueuedLink(InputStream.nullInputStream(), input, child.input(), ROOM, 0, broken -> child.kill());
        this.relay = thread(this::relay, "weir-relay-");
    }

    void begin(Runnable ended) {
        relay.start();
        thread(() -> watch(ended), "weir-log-").start();
    }

    private Thread thread(Runnable task, String name) {
        return DaemonThreads.of(name + channel, task);
    }

    LocalChild child() {
        return child;
    }

    void send(LinkFrame frame) {
        try {
            input.send(frame);
        } catch (IOException gone) {
            // Another thread reports the end of the process.
            return;
        }
    }

    void handle(Kind kind, DataInputStream content, Executor signals) throws IOException {
        switch (kind) {
            case CHANNEL -> send(LinkFrame.read(content));
            case SIGNAL -> {
                ProcessAction action = ProcessAction.valueOf(content.readUTF());
                signals.execute(() -> {
                    if (child.alive()) {
                        child.signal(action);
                    }
                });
            }
            case CLOSE -> {
                input.finish();
                thread(end, "weir-end-").start();
            }
            default -> throw new IOException("unexpected frame for a process: " + kind);
        }
    }

    void check() {
        if (killed.isEmpty() && deadline.passed()) {
            killed = "was killed: it exceeded its limit of " + deadline.limit().toSeconds()
                    + " s, the longest possible duration of its trial";
            child.kill();
        }
    }

    void kill() {
        child.kill();
        end.run();
    }

    private void relay() {
        byte[] piece = new byte[PIECE];
        try (InputStream output = child.output()) {
            for (int read = output.read(piece); read >= 0; read = output.read(piece)) {
                conductor.sendBlocking(bytes(Kind.CHANNEL, channel, piece, read));
            }
        } catch (IOException gone) {
            // Other threads report the broken end.
            return;
        }
    }

    private void watch(Runnable ended) {
        try {
            while (!child.endsWithin(POLL_INTERVAL)) {
                log();
            }
            // Its children may still keep its output open.
            DaemonThreads.join(relay, LAST_WORDS.toMillis());
            log();
            // All its children must end before the report of its end.
            end.run();
            ended.run();
            conductor.sendBlocking(ended(channel, child.exit().join(), killed));
            input.cut();
        } catch (IOException gone) {
            // The conductor is gone.
            return;
        }
    }

    private void log() throws IOException {
        byte[] piece = new byte[PIECE];
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(logged);
            for (int read = file.read(piece); read >= 0; read = file.read(piece)) {
                logged += read;
                conductor.sendBlocking(bytes(Kind.LOG, channel, piece, read));
            }
        }
    }

    static LinkFrame ended(int channel, int exit, String failure) {
        return LinkFrame.of(Kind.ENDED, out -> {
            out.writeInt(channel);
            out.writeInt(exit);
            out.writeUTF(failure);
        });
    }

    static LinkFrame bytes(Kind kind, int channel, byte[] bytes, int length) {
        return LinkFrame.of(kind, out -> {
            out.writeInt(channel);
            out.write(bytes, 0, length);
        });
    }
}
