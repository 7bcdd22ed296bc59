package weir.load.http;

import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import weir.http.EventLoops;

/** A socket that clients can connect to from the start, although a thread that begins later accepts them. */
final class ListeningSocket implements AutoCloseable {
    private static final int BACKLOG = 1_024;

    private final InetSocketAddress address;
    private final io.netty.channel.socket.ServerSocketChannel channel;

    private ListeningSocket(InetSocketAddress address, io.netty.channel.socket.ServerSocketChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    static ListeningSocket bind(InetSocketAddress at) throws IOException {
        return EventLoops.EPOLL ? epoll(at) : nio(at);
    }

    private static ListeningSocket epoll(InetSocketAddress at) throws IOException {
        Socket socket = Socket.newSocketStream();
        try {
            socket.setReuseAddress(true);
            socket.bind(at);
            socket.listen(BACKLOG);
            return new ListeningSocket(socket.localAddress(), new EpollServerSocketChannel(socket.intValue()));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static ListeningSocket nio(InetSocketAddress at) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open();
        try {
            socket.bind(at, BACKLOG);
            return new ListeningSocket(
                    (InetSocketAddress) socket.getLocalAddress(), new NioServerSocketChannel(socket));
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** Not registered with any event loop. */
    io.netty.channel.socket.ServerSocketChannel channel() {
        return channel;
    }

    /** For one that no event loop has: the others close what they have. */
    @Override
    public void close() {
        if (channel.isOpen() && !channel.isRegistered()) {
            channel.unsafe().closeForcibly();
        }
    }
}
