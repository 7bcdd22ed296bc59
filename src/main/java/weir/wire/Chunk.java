package weir.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** The memory into which a connection reads frames. It is free when all frames are released. */
final class Chunk {
    private final Endpoint from;
    final ByteBuffer bytes;
    private final Deque<ResponseFrame> spare = new ArrayDeque<>();
    private int inUse;

    Chunk(Endpoint from, int capacity) {
        this.from = from;
        this.bytes = ByteBuffer.allocateDirect(capacity);
    }

    int capacity() {
        return bytes.capacity();
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

    void copy(int begin, int end, Chunk to) {
        to.bytes.put(0, bytes, begin, end - begin);
    }

    void compact(int begin, int end) {
        bytes.limit(end).position(begin);
        bytes.compact();
        bytes.clear();
    }
}
