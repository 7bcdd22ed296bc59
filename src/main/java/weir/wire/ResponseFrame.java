package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One answer of a broker, without a copy of the bytes. After {@link #release}, the connection overwrites the bytes. */
public final class ResponseFrame {
    private static final int CORRELATION_BYTES = 4;

    private final Endpoint from;
    private final InboundFrames.Chunk home;
    private final ByteBuffer bytes;
    private final ByteCursor header = new ByteCursor("header");
    private int begin;

    ResponseFrame(Endpoint from, InboundFrames.Chunk home) {
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
            header.begin(bytes, bytes.position(), bytes.limit());
            try {
                header.skipTagged(true);
            } catch (IOException e) {
                throw new IOException(
                        "broker " + from + " sent an answer of " + size() + " bytes with a malformed header", e);
            }
            bytes.position(header.at);
        }
        return bytes;
    }

    /** Lets the connection overwrite the bytes; the frame must not be used again. */
    public void release() {
        home.back(this);
    }
}
