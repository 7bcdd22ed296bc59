package weir.cluster.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import weir.wire.RequestHead;

/** The pending replies of one connection. They are sent together before the server waits for the next request. */
final class ReplyBuffer {
    private static final int FIRST = 16 << 10;
    private static final int ENOUGH = 64 << 10;
    private static final int LONGEST_VARINT = 5;

    private final WritableByteChannel to;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(FIRST);
    private int begin;
    private boolean open;

    ReplyBuffer(WritableByteChannel to) {
        this.to = to;
    }

    void begin() {
        begin = buffer.position();
        open = true;
        putInt(0);
    }

    void end() throws IOException {
        buffer.putInt(begin, buffer.position() - begin - Integer.BYTES);
        open = false;
        if (buffer.position() > ENOUGH) {
            flush();
        }
    }

    void forget() {
        buffer.position(begin);
        open = false;
    }

    void put(ByteBuffer whole) throws IOException {
        flush();
        while (whole.hasRemaining()) {
            to.write(whole);
        }
    }

    void putByte(int value) {
        room(Byte.BYTES).put((byte) value);
    }

    void putShort(int value) {
        room(Short.BYTES).putShort((short) value);
    }

    void putInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    void putLong(long value) {
        room(Long.BYTES).putLong(value);
    }

    void putCount(boolean compact, int count) {
        RequestHead.putCount(room(LONGEST_VARINT), compact, count);
    }

    /** Writes the length of a text; -1 for null. */
    void putLength(boolean compact, int length) {
        RequestHead.putLength(room(LONGEST_VARINT), compact, length);
    }

    void putText(boolean compact, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        putLength(compact, bytes.length);
        room(bytes.length).put(bytes);
    }

    void flush() throws IOException {
        int end = buffer.position();
        int whole = open ? begin : end;
        if (whole > 0) {
            buffer.flip().limit(whole);
            while (buffer.hasRemaining()) {
                to.write(buffer);
            }
            buffer.limit(end);
            buffer.compact();
            begin = 0;
        }
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocateDirect(2 * (buffer.capacity() + bytes));
            buffer = larger.put(buffer.flip());
        }
        return buffer;
    }
}
