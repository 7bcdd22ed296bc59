package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One answer of a broker, without a copy of the bytes. After {@link #release}, the connection overwrites the bytes. */
public final class ResponseFrame {
    private static final int CORRELATION_BYTES = 4;

    private final Endpoint from;
    private final Chunk home;
    private final ByteBuffer bytes;
    private int begin;

    ResponseFrame(Endpoint from, Chunk home) {
        this.from = from;
        this.home = home;
        this.bytes = home.bytes.duplicate();
    }

    ResponseFrame at(int position, int length) {
        begin = position;
        bytes.limit(position + length).position(position);
        return this;
    }

    public int correlation() {
        return bytes.getInt(begin);
    }

    public int size() {
        return bytes.limit() - begin;
    }

    /** The bytes after the header of the answer to this request, up to the buffer's limit. */
    public ByteBuffer body(Api api, short version) throws IOException {
        bytes.position(begin + CORRELATION_BYTES);
        // The client must read the answer with the versions before it knows the versions.
        if (api.flexible(version) && api != Api.API_VERSIONS) {
            skipTags();
        }
        return bytes;
    }

    private void skipTags() throws IOException {
        for (int left = varint(); left > 0; left--) {
            varint();
            int size = varint();
            if (size > bytes.remaining()) {
                throw torn();
            }
            bytes.position(bytes.position() + size);
        }
    }

    private int varint() throws IOException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (!bytes.hasRemaining()) {
                throw torn();
            }
            byte next = bytes.get();
            value |= (next & 0x7f) << shift;
            if (next >= 0 && value >= 0) {
                return value;
            }
        }
        throw torn();
    }

    private IOException torn() {
        return new IOException("broker " + from + " sent an answer of " + size() + " bytes with a malformed header");
    }

    /** Lets the connection overwrite the bytes; the frame must not be used again. */
    public void release() {
        home.back(this);
    }
}
