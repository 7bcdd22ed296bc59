package weir.cluster.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** One connection through a relay, in both directions. Only the relay's thread uses the object. */
final class RelayedConnection {
    private final SocketChannel client;
    private final SocketChannel server;
    private final SelectionKey clientKey;
    private final SelectionKey serverKey;
    private final RelayStream requests;
    private final RelayStream replies;
    private final int source;
    private boolean connected;
    private boolean open = true;

    RelayedConnection(
            SocketChannel client,
            SocketAddress to,
            Selector selector,
            RelayDirection requestWay,
            RelayDirection replyWay,
            int source)
            throws IOException {
        this.client = client;
        this.source = source;
        this.server = SocketChannel.open();
        requests = new RelayStream(client, server, requestWay);
        replies = new RelayStream(server, client, replyWay);
        for (SocketChannel channel : new SocketChannel[] {client, server}) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        clientKey = client.register(selector, 0, this);
        serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
        connect(to);
    }

    private void connect(SocketAddress to) {
        try {
            connected = server.connect(to);
        } catch (IOException refused) {
            close();
        }
    }

    int source() {
        return source;
    }

    boolean open() {
        return open;
    }

    RelayStream requests() {
        return requests;
    }

    RelayStream replies() {
        return replies;
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
            if (requests.closed() && replies.closed()) {
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
        return (from.wantsMore() ? SelectionKey.OP_READ : 0) | (to.wantsRoom() ? SelectionKey.OP_WRITE : 0);
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
}
