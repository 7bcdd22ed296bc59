package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The carrier of the bytes of a connection, as they are or encrypted. Never waits. */
interface Transport {
    /** Takes what it can of these parts; what it took may still have to be {@link #flush}ed. */
    void write(ByteBuffer[] parts, int from, int count) throws IOException;

    /** True when all that was taken has left. */
    boolean flush() throws IOException;

    /** 0 when nothing is there, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** So much room a {@link #read} needs at least. */
    int leastRoom();

    /** Tells the other side that nothing more comes, if it can be told without waiting. */
    void farewell() throws IOException;

    /** A transport of bytes as they are. */
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
        public void farewell() {}
    }
}
