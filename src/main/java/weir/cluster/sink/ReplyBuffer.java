package weir.cluster.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** The pending replies of one connection. They are sent together before the server waits for the next request. */
final class ReplyBuffer {
    private final WritableByteChannel to;
    private final ByteBuffer pending = ByteBuffer.allocateDirect(64 << 10);

    ReplyBuffer(WritableByteChannel to) {
        this.to = to;
    }

    void put(ByteBuffer reply) throws IOException {
        if (pending.remaining() < reply.remaining()) {
            flush();
        }
        if (pending.remaining() < reply.remaining()) {
            write(reply);
        } else {
            pending.put(reply);
        }
    }

    void flush() throws IOException {
        write(pending.flip());
        pending.clear();
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }
}
