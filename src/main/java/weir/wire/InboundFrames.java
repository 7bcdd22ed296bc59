package weir.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The received frames of a broker, in two chunks of memory. So the next frame can arrive while the previous frame is in
 * use. Each chunk grows to the size of the largest frame, up to a limit.
 */
final class InboundFrames {
    private static final int LENGTH_BYTES = 4;
    private static final int CORRELATION_BYTES = 4;
    private static final int FIRST_BYTES = 64 << 10;

    private final Endpoint from;
    private final Transport pipe;
    private final int mostBytes;
    private Chunk filling;
    private Chunk other;
    private int begin;
    private int end;

    InboundFrames(Endpoint from, Transport pipe, int mostBytes) {
        this.from = from;
        this.pipe = pipe;
        this.mostBytes = mostBytes;
        this.filling = new Chunk(from, FIRST_BYTES);
        this.other = filling;
    }

    /** Returns the next complete frame; null for an incomplete frame, or while frames in both chunks are in use. */
    @Nullable ResponseFrame next() throws IOException {
        while (true) {
            int needed = LENGTH_BYTES;
            if (end - begin >= LENGTH_BYTES) {
                needed += length();
                if (end - begin >= needed) {
                    ResponseFrame frame = filling.frame(begin + LENGTH_BYTES, needed - LENGTH_BYTES);
                    begin += needed;
                    return frame;
                }
            }
            if (!room(Math.max(needed, end - begin + pipe.leastRoom())) || read() == 0) {
                return null;
            }
        }
    }

    private int length() throws IOException {
        int length = filling.bytes.getInt(begin);
        if (length < CORRELATION_BYTES || length > mostBytes) {
            throw new IOException("broker " + from + " announced an answer of " + length + " bytes, but an answer has "
                    + CORRELATION_BYTES + " to " + mostBytes + "; check that this is Kafka, and security.protocol");
        }
        return length;
    }

    private int read() throws IOException {
        ByteBuffer bytes = filling.bytes;
        bytes.limit(bytes.capacity()).position(end);
        int read = pipe.read(bytes);
        if (read < 0) {
            throw new EOFException(
                    "broker " + from + " closed the connection" + (begin == end ? "" : " in the middle of an answer"));
        }
        end += read;
        return read;
    }

    private boolean room(int needed) {
        if (filling.free() && begin == end) {
            begin = 0;
            end = 0;
        }
        if (filling.bytes.capacity() - begin >= needed) {
            return true;
        }
        if (filling.free() && filling.bytes.capacity() >= needed) {
            filling.bytes.limit(end).position(begin);
            filling.bytes.compact().clear();
        } else if (filling.free()) {
            moveTo(large(needed));
        } else if (other != filling && !other.free()) {
            return false;
        } else {
            Chunk inUse = filling;
            moveTo(other != filling && other.bytes.capacity() >= needed ? other : large(needed));
            other = inUse;
        }
        end -= begin;
        begin = 0;
        return true;
    }

    private void moveTo(Chunk next) {
        next.bytes.put(0, filling.bytes, begin, end - begin);
        if (other == filling) {
            other = next;
        }
        filling = next;
    }

    private Chunk large(int needed) {
        // An eighth more, so that slowly growing frames do not always need a larger chunk.
        int holdsIdentity = (int) Math.min(Integer.MAX_VALUE, needed + needed / 8L);
        return new Chunk(from, Math.max(filling.bytes.capacity(), holdsIdentity));
    }

    /** The memory into which a connection reads frames. It is free when all frames are released. */
    static final class Chunk {
        private final Endpoint from;
        final ByteBuffer bytes;
        private final Deque<ResponseFrame> spare = new ArrayDeque<>();
        private int inUse;

        Chunk(Endpoint from, int capacity) {
            this.from = from;
            this.bytes = ByteBuffer.allocateDirect(capacity);
        }

        boolean free() {
            return inUse == 0;
        }

        ResponseFrame frame(int position, int length) {
            inUse++;
            ResponseFrame again = spare.poll();
            return (again == null ? new ResponseFrame(from, this) : again).at(position, length);
        }

        void back(ResponseFrame frame) {
            if (inUse == 0) {
                throw new IllegalStateException("a frame was released twice");
            }
            inUse--;
            spare.push(frame);
        }
    }
}
