package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The bytes that a connection still has to write: the parts of requests, in order, where their owner keeps them. */
final class OutboundBytes {
    private final Transport pipe;
    private ByteBuffer[] parts = new ByteBuffer[64];
    private int head;
    private int tail;
    private long taken;
    private long left;

    OutboundBytes(Transport pipe) {
        this.pipe = pipe;
    }

    void add(ByteBuffer part) {
        if (tail == parts.length) {
            int waiting = tail - head;
            if (head < parts.length / 2) {
                parts = Arrays.copyOf(parts, 2 * parts.length);
            }
            System.arraycopy(parts, head, parts, 0, waiting);
            head = 0;
            tail = waiting;
        }
        parts[tail++] = part;
        taken += part.remaining();
    }

    /** True when all has left. */
    boolean flush() throws IOException {
        while (pipe.flush()) {
            while (head < tail && !parts[head].hasRemaining()) {
                head++;
            }
            if (head == tail) {
                head = 0;
                tail = 0;
                left = taken;
                return true;
            }
            long before = waiting();
            pipe.write(parts, head, tail - head);
            if (waiting() == before) {
                break;
            }
        }
        if (pipe.flush()) {
            left = taken - waiting();
        }
        return false;
    }

    /** Bytes given to {@link #add}. */
    long taken() {
        return taken;
    }

    /** Bytes of those that have left; never too many, perhaps too few while some are being encrypted. */
    long left() {
        return left;
    }

    private long waiting() {
        long bytes = 0;
        for (int i = head; i < tail; i++) {
            bytes += parts[i].remaining();
        }
        return bytes;
    }
}
