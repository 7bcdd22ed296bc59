package weir.http;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The choice of event loops: epoll, with waits exact to the microsecond, or NIO, exact to the millisecond. */
public final class EventLoops {
    public static final boolean EPOLL = Epoll.isAvailable();

    private EventLoops() {}

    public static EventLoopGroup group(int loops) {
        return new MultiThreadIoEventLoopGroup(loops, io());
    }

    public static EventLoopGroup daemon(String name) {
        return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), io());
    }

    public static ManualIoEventLoop ofThisThread() {
        return new ManualIoEventLoop(Thread.currentThread(), io());
    }

    private static IoHandlerFactory io() {
        return EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    public static EventLoopGroup group() {
        return group(Runtime.getRuntime().availableProcessors());
    }

    public static Class<? extends Channel> client() {
        return EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }
}
