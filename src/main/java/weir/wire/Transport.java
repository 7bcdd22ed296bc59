package weir.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The carrier of a connection's bytes, plain or encrypted. Never waits. */
interface Transport {
    /** Takes as much of these parts as it can; taken bytes may still have to be {@link #flush}ed. */
    void write(ByteBuffer[] parts, int from, int count) throws IOException;

    boolean flush() throws IOException;

    /** 0 when nothing is there, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** The bytes of room that a {@link #read} needs at least. */
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
