package weir.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;

/** A socket that accepts connections as soon as it exists, even before an event loop serves them. */
// A failed registration closes the socket.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ListeningSocket implements AutoCloseable {
    private static final int BACKLOG = 1_024;

    private final InetSocketAddress address;
    private final io.netty.channel.socket.ServerSocketChannel channel;

    private ListeningSocket(InetSocketAddress address, io.netty.channel.socket.ServerSocketChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    /** Binds a socket. The message of an exception begins with {@code failure}. */
    public static ListeningSocket bind(InetSocketAddress at, String failure) throws IOException {
        Closeable opened = () -> {};
        try {
            if (EventLoops.EPOLL) {
                Socket socket = Socket.newSocketStream();
                opened = socket::close;
                socket.setReuseAddress(true);
                socket.bind(at);
                socket.listen(BACKLOG);
                return new ListeningSocket(socket.localAddress(), new EpollServerSocketChannel(socket.intValue()));
            }
            ServerSocketChannel socket = ServerSocketChannel.open();
            opened = socket;
            socket.bind(at, BACKLOG);
            return new ListeningSocket(
                    (InetSocketAddress) socket.getLocalAddress(), new NioServerSocketChannel(socket));
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw new IOException(failure + ": " + e.getMessage(), e);
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    Channel channel() {
        return channel;
    }

    /** Serves the connections of the socket, as soon as the event loop runs. */
    public void serve(EventLoopGroup loops, ChannelHandler connections) {
        new ServerBootstrap()
                .group(loops)
                .channelFactory(() -> channel)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(connections)
                .register()
                .addListener(registered ->
                        channel.eventLoop().execute(() -> channel.config().setAutoRead(true)));
    }

    /** Returns when the socket accepts no more connections. Event loops must not end before: they lose a connection. */
    @Override
    public void close() {
        if (channel.isRegistered()) {
            channel.close().syncUninterruptibly();
        } else if (channel.isOpen()) {
            channel.unsafe().closeForcibly();
        }
    }
}
