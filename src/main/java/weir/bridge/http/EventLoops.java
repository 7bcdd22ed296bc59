package weir.bridge.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/** Event loops, by epoll where that is. */
public final class EventLoops {
    private EventLoops() {}

    /** One for each core. */
    public static EventLoopGroup group() {
        return group(Runtime.getRuntime().availableProcessors());
    }

    public static EventLoopGroup group(int loops) {
        return new MultiThreadIoEventLoopGroup(
                loops, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /** The kind of channel that listens in such a group. */
    public static Class<? extends ServerChannel> server() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** The kind of channel that connects in such a group. */
    public static Class<? extends Channel> client() {
        return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
