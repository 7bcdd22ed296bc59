package weir.cluster.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/** The bytes of one connection in one direction, in chunks with due times. Owned by the relay's thread. */
final class RelayStream {
    static final long NEVER = Long.MAX_VALUE;

    /** Limit of waiting bytes: 1 s at 8 MB/s, 0.1 s at 80 MB/s. More bytes wait at the sender. */
    private static final long MOST = 8 << 20;

    private final SocketChannel from;
    private final SocketChannel to;
    private final RelayDirection way;
    private final Deque<Chunk> waiting = new ArrayDeque<>();
    private long lastDueNanos = Long.MIN_VALUE;
    private long held;
    private boolean ended;
    private boolean closed;
    private boolean full;
    private boolean hasGap;

    private record Chunk(ByteBuffer bytes, long arrivedNanos, long dueNanos) {}

    RelayStream(SocketChannel from, SocketChannel to, RelayDirection way) {
        this.from = from;
        this.to = to;
        this.way = way;
    }

    boolean wantsMore() {
        return !ended && held < MOST;
    }

    boolean wantsRoom() {
        return full;
    }

    boolean closed() {
        return closed;
    }

    boolean hasGap() {
        return hasGap;
    }

    long held() {
        return held;
    }

    void read(ByteBuffer scratch, long nowNanos) throws IOException {
        scratch.clear();
        int count = from.read(scratch);
        if (count < 0) {
            ended = true;
        } else if (count > 0) {
            scratch.flip();
            ByteBuffer bytes = ByteBuffer.allocate(count).put(scratch).flip();
            lastDueNanos = Math.max(lastDueNanos, way.dueNanos(nowNanos));
            waiting.add(new Chunk(bytes, nowNanos, lastDueNanos));
            held += count;
        }
    }

    /** Forwards the bytes that are due; returns the time of the next call, or {@link #NEVER}. */
    long move(long nowNanos) throws IOException {
        full = false;
        while (!waiting.isEmpty() && !way.stalled()) {
            Chunk chunk = waiting.element();
            long mayNanos = Math.max(chunk.dueNanos, way.freeNanos());
            if (mayNanos > nowNanos) {
                return mayNanos;
            }
            int passed = way.discards() ? discard(chunk.bytes) : write(chunk.bytes);
            if (passed == 0) {
                full = true;
                return NEVER;
            }
            held -= passed;
            way.passed(passed, chunk.arrivedNanos, nowNanos);
            if (!chunk.bytes.hasRemaining()) {
                waiting.remove();
            }
        }
        if (ended && waiting.isEmpty() && !closed && !way.stalled()) {
            closed = true;
            to.shutdownOutput();
        }
        return NEVER;
    }

    private int discard(ByteBuffer bytes) {
        hasGap = true;
        int dropped = bytes.remaining();
        bytes.position(bytes.limit());
        return dropped;
    }

    private int write(ByteBuffer bytes) throws IOException {
        int end = bytes.limit();
        bytes.limit(Math.min(end, bytes.position() + Math.min(way.portion(), end - bytes.position())));
        try {
            return to.write(bytes);
        } finally {
            bytes.limit(end);
        }
    }
}
