package weir.worker.link;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import weir.time.DaemonThreads;

/**
 * A link with its own thread for writing, so that a sender never waits for the other end. It stores a limited number of
 * bytes. A frame beyond the limit breaks the link.
 */
public final class QueuedLink implements Link {
    /** The limit in bytes: the output of a worker in an hour. The largest frame is a ledger. */
    public static final long ROOM = 64 << 20;

    /** The failure of a link at its limit, because the other end reads too slowly. */
    public static final class Full extends IOException {
        private static final long serialVersionUID = 1;

        private Full(String message) {
            super(message);
        }
    }

    /** The number of unwritten bytes above which {@link #sendBlocking} waits. */
    private static final long BACKLOG = 256 << 10;

    /** The bytes of one write, between which a frame with priority may be written. */
    private static final long BURST = 128 << 10;

    private static final long FAREWELL_MILLIS = 1_000;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final AutoCloseable transport;
    private final long room;
    private final int longest;
    private final Consumer<IOException> breaks;
    private final Deque<LinkFrame> first = new ArrayDeque<>();
    private final Deque<LinkFrame> queue = new ArrayDeque<>();
    private final Thread writer;
    private long held;
    private boolean closed;
    private String broken = "";

    /**
     * @param transport the transport, closed last, which ends all pending reads and writes
     * @param room the most bytes in unwritten frames
     * @param longest the most bytes of a frame from the other end
     * @param breaks receives, once on any thread, the reason why the link cannot send any more
     */
    public QueuedLink(
            InputStream in,
            OutputStream out,
            AutoCloseable transport,
            long room,
            int longest,
            Consumer<IOException> breaks) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out, 1 << 16));
        this.transport = transport;
        this.room = room;
        this.longest = longest;
        this.breaks = breaks;
        this.writer = DaemonThreads.of("weir-link-writer", this::write);
        writer.start();
    }

    @Override
    public void send(LinkFrame frame) throws IOException {
        put(frame, queue);
    }

    public void sendFirst(LinkFrame frame) throws IOException {
        put(frame, first);
    }

    /** Queues a frame that is not urgent, after waiting until few unwritten bytes remain. */
    public void sendBlocking(LinkFrame frame) throws IOException {
        synchronized (this) {
            while (held > BACKLOG && !closed && broken.isEmpty()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while frames waited to be written", e);
                }
            }
        }
        send(frame);
    }

    private void put(LinkFrame frame, Deque<LinkFrame> to) throws IOException {
        IOException full;
        synchronized (this) {
            check();
            if (held + frame.size() <= room) {
                to.addLast(frame);
                held += frame.size();
                notifyAll();
                return;
            }
            full = new Full("the peer reads too slowly: " + held + " bytes are unsent, and a frame of " + frame.size()
                    + " more (" + frame.kind() + ") exceeds the limit of " + room);
        }
        breakOff(full);
        throw full;
    }

    private synchronized void check() throws IOException {
        if (!broken.isEmpty()) {
            throw new IOException(broken);
        }
        if (closed) {
            throw new IOException("the link is closed");
        }
    }

    private void breakOff(IOException why) {
        synchronized (this) {
            if (closed || !broken.isEmpty()) {
                return;
            }
            broken = why.getMessage() == null ? why.toString() : why.getMessage();
            notifyAll();
        }
        breaks.accept(why);
    }

    private void write() {
        try {
            while (true) {
                List<LinkFrame> burst = next();
                if (burst.isEmpty()) {
                    closeTransport();
                    return;
                }
                long written = 0;
                for (LinkFrame frame : burst) {
                    frame.write(out);
                    written += frame.size();
                }
                out.flush();
                synchronized (this) {
                    held -= written;
                    notifyAll();
                }
            }
        } catch (IOException e) {
            breakOff(e);
        }
    }

    private synchronized List<LinkFrame> next() {
        while (first.isEmpty() && queue.isEmpty() && !closed && broken.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return List.of();
            }
        }
        List<LinkFrame> burst = new ArrayList<>();
        if (!broken.isEmpty()) {
            return burst;
        }
        long bytes = 0;
        while (bytes < BURST && !(first.isEmpty() && queue.isEmpty())) {
            LinkFrame frame = first.isEmpty() ? queue.removeFirst() : first.removeFirst();
            bytes += frame.size();
            burst.add(frame);
        }
        return burst;
    }

    @Override
    public LinkFrame receive() throws IOException {
        return LinkFrame.read(in, longest);
    }

    public synchronized void finish() {
        closed = true;
        notifyAll();
    }

    /** Waits a short time for sent frames to leave. */
    @Override
    public void close() {
        finish();
        try {
            if (Thread.currentThread() != writer) {
                writer.join(FAREWELL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cut();
    }

    public void cut() {
        synchronized (this) {
            closed = true;
            first.clear();
            queue.clear();
            notifyAll();
        }
        closeTransport();
    }

    private void closeTransport() {
        try {
            transport.close();
        } catch (Exception gone) {
            // The other end is gone, so closing is complete.
            return;
        }
    }
}
