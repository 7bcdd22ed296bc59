package weir.load.http;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;

/** Event loops that are driven by the thread that makes them. */
final class HttpEventLoop {
    /** Where it is, waits end to the microsecond; elsewhere to the millisecond. */
    static final boolean EPOLL = Epoll.isAvailable();

    private HttpEventLoop() {}

    static ManualIoEventLoop ofThisThread() {
        IoHandlerFactory io = EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        return new ManualIoEventLoop(Thread.currentThread(), io);
    }
}
