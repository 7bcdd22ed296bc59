package weir.cluster.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import weir.cluster.relay.RelayEffect.RelayDirection;

/** One connection through a relay, in both directions. Only the relay's thread uses the object. */
final class RelayedConnection {
    private final SocketChannel client;
    private final SocketChannel server;
    private final SelectionKey clientKey;
    private final SelectionKey serverKey;
    private final RelayStream requests;
    private final RelayStream replies;
    private boolean connected;
    boolean open = true;

    RelayedConnection(
            SocketChannel client,
            SocketAddress to,
            Selector selector,
            RelayDirection requestWay,
            RelayDirection replyWay)
            throws IOException {
        this.client = client;
        this.server = SocketChannel.open();
        requests = new RelayStream(client, server, requestWay);
        replies = new RelayStream(server, client, replyWay);
        for (SocketChannel channel : new SocketChannel[] {client, server}) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        clientKey = client.register(selector, 0, this);
        serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
        try {
            connected = server.connect(to);
        } catch (IOException refused) {
            close();
        }
    }

    List<RelayStream> streams() {
        return List.of(requests, replies);
    }

    void ready(SelectionKey key, ByteBuffer scratch, long nowNanos) {
        if (!open || !key.isValid()) {
            return;
        }
        try {
            if (key.isConnectable()) {
                connected = server.finishConnect();
            } else if (key.isReadable()) {
                (key == clientKey ? requests : replies).read(scratch, nowNanos);
            }
        } catch (IOException goneOrRefused) {
            // The other end sees the loss as a closed connection.
            close();
        }
    }

    long move(long nowNanos) {
        if (!open || !connected) {
            return RelayStream.NEVER;
        }
        try {
            long next = Math.min(requests.move(nowNanos), replies.move(nowNanos));
            if (requests.closed && replies.closed) {
                close();
                return RelayStream.NEVER;
            }
            clientKey.interestOps(interest(requests, replies));
            serverKey.interestOps(interest(replies, requests));
            return next;
        } catch (IOException gone) {
            close();
            return RelayStream.NEVER;
        }
    }

    private static int interest(RelayStream from, RelayStream to) {
        return (from.wantsMore() ? SelectionKey.OP_READ : 0) | (to.full ? SelectionKey.OP_WRITE : 0);
    }

    void cut() {
        if (open) {
            end(true);
        }
    }

    void close() {
        end(false);
    }

    private void end(boolean reset) {
        open = false;
        try (client;
                server) {
            if (reset) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
                server.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("closing a connection of a relay", e);
        }
    }

    /** The bytes of one connection in one direction, in chunks with due times. Owned by the relay's thread. */
    static final class RelayStream {
        static final long NEVER = Long.MAX_VALUE;

        /** Limit of waiting bytes: 1 s at 8 MB/s, 0.1 s at 80 MB/s. More bytes wait at the sender. */
        private static final long MOST = 8 << 20;

        private final SocketChannel from;
        private final SocketChannel to;
        final RelayDirection way;
        private final Deque<Chunk> waiting = new ArrayDeque<>();
        private long lastDueNanos = Long.MIN_VALUE;
        long held;
        private boolean ended;
        private boolean closed;
        private boolean full;
        boolean hasGap;

        private record Chunk(ByteBuffer bytes, long arrivedNanos, long dueNanos) {}

        RelayStream(SocketChannel from, SocketChannel to, RelayDirection way) {
            this.from = from;
            this.to = to;
            this.way = way;
        }

        boolean wantsMore() {
            return !ended && held < MOST;
        }

        void read(ByteBuffer scratch, long nowNanos) throws IOException {
            scratch.clear();
            int count = from.read(scratch);
            if (count < 0) {
                ended = true;
            } else if (count > 0) {
                scratch.flip();
                ByteBuffer bytes = ByteBuffer.allocate(count).put(scratch).flip();
                lastDueNanos = Math.max(lastDueNanos, way.dueNanos(nowNanos));
                waiting.add(new Chunk(bytes, nowNanos, lastDueNanos));
                held += count;
            }
        }

        /** Forwards the bytes that are due; returns the time of the next call, or {@link #NEVER}. */
        long move(long nowNanos) throws IOException {
            full = false;
            while (!waiting.isEmpty() && !way.stalled) {
                Chunk chunk = waiting.element();
                long mayNanos = Math.max(chunk.dueNanos, way.freeNanos());
                if (mayNanos > nowNanos) {
                    return mayNanos;
                }
                int passed = way.discards ? discard(chunk.bytes) : write(chunk.bytes);
                if (passed == 0) {
                    full = true;
                    return NEVER;
                }
                held -= passed;
                way.passed(passed, chunk.arrivedNanos, nowNanos);
                if (!chunk.bytes.hasRemaining()) {
                    waiting.remove();
                }
            }
            if (ended && waiting.isEmpty() && !closed && !way.stalled) {
                closed = true;
                to.shutdownOutput();
            }
            return NEVER;
        }

        private int discard(ByteBuffer bytes) {
            hasGap = true;
            int dropped = bytes.remaining();
            bytes.position(bytes.limit());
            return dropped;
        }

        private int write(ByteBuffer bytes) throws IOException {
            int end = bytes.limit();
            bytes.limit(Math.min(end, bytes.position() + Math.min(way.portion(), end - bytes.position())));
            try {
                return to.write(bytes);
            } finally {
                bytes.limit(end);
            }
        }
    }
}
