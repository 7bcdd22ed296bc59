package weir.cluster.sink;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import weir.io.Io;

/** The reader of one connection's requests. It never reads beyond a request, and never trusts a declared length. */
final class SinkRequestReader {
    // Small enough for a core's L2 cache, where the kernel's copy is cheapest.
    private static final int BUFFER = 256 << 10;

    private final ReadableByteChannel from;
    /** Called before each read that may block, because the client may wait for a pending reply. */
    private final Io.Writing beforeWaiting;

    private final ByteBuffer buffer;
    private long left;

    SinkRequestReader(ReadableByteChannel from, Io.Writing beforeWaiting) {
        this(from, beforeWaiting, ByteBuffer.allocateDirect(BUFFER));
    }

    SinkRequestReader(ReadableByteChannel from, Io.Writing beforeWaiting, ByteBuffer buffer) {
        this.from = from;
        this.beforeWaiting = beforeWaiting;
        this.buffer = buffer.limit(0);
    }

    boolean next() throws IOException {
        skip(left);
        if (!buffer.hasRemaining() && !fill()) {
            return false;
        }
        left = Integer.BYTES;
        int length = readInt();
        if (length < 0) {
            throw new IOException("a request of " + length + " bytes");
        }
        left = length;
        return true;
    }

    long left() {
        return left;
    }

    byte readByte() throws IOException {
        take(Byte.BYTES);
        return buffer.get();
    }

    short readShort() throws IOException {
        take(Short.BYTES);
        return buffer.getShort();
    }

    int readInt() throws IOException {
        take(Integer.BYTES);
        return buffer.getInt();
    }

    long readLong() throws IOException {
        take(Long.BYTES);
        return buffer.getLong();
    }

    int readVarint() throws IOException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = readByte();
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IOException("a number in a request to the null target has more than five bytes");
    }

    byte[] readBytes(long length, int most) throws IOException {
        if (length < 0 || length > most || length > left) {
            throw new IOException(length + " bytes; must be at most " + Math.min(most, left));
        }
        byte[] bytes = new byte[(int) length];
        int at = 0;
        while (at < bytes.length) {
            int piece = Math.min(bytes.length - at, BUFFER);
            take(piece);
            buffer.get(bytes, at, piece);
            at += piece;
        }
        return bytes;
    }

    void skip(long length) throws IOException {
        if (length < 0 || length > left) {
            throw new IOException(length + " bytes are declared, but the request has only " + left + " left");
        }
        left -= length;
        long missing = length;
        while (missing > buffer.remaining()) {
            missing -= buffer.remaining();
            buffer.position(buffer.limit());
            if (!fill()) {
                throw new EOFException("the connection ended within a request");
            }
        }
        buffer.position(buffer.position() + (int) missing);
    }

    private void take(int bytes) throws IOException {
        if (bytes > left) {
            throw new IOException("a request to the null target is longer than its declared length");
        }
        left -= bytes;
        while (buffer.remaining() < bytes) {
            if (!fill()) {
                throw new EOFException("the connection ended within a request");
            }
        }
    }

    private boolean fill() throws IOException {
        beforeWaiting.write();
        buffer.compact();
        int read = from.read(buffer);
        buffer.flip();
        return read >= 0;
    }
}
