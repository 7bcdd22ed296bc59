package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A transport of a connection's bytes, plain or encrypted. It never blocks. */
interface Transport {
    /** Takes as many bytes of these parts as it can. After this, {@link #flush} may have to write some of them. */
    void write(ByteBuffer[] parts, int from, int count) throws IOException;

    boolean flush() throws IOException;

    /** Returns the number of read bytes: 0 if none are available, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** The free bytes of the buffer that a {@link #read} needs. */
    int leastRoom();

    /** Announces the end to the other side, if that is possible without waiting. */
    void sendClose() throws IOException;

    record Plain(SocketChannel channel) implements Transport {
        private static final int LEAST_ROOM = 16 << 10;

        @Override
        public void write(ByteBuffer[] parts, int from, int count) throws IOException {
            channel.write(parts, from, count);
        }

        @Override
        public boolean flush() {
            return true;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        public int leastRoom() {
            return LEAST_ROOM;
        }

        @Override
        public void sendClose() {}
    }
}
