package weir.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.FullHttpResponse;

/** The place of the answer to one request; to be used once, on any thread. */
public final class Reply {
    private final RequestHandler handler;
    private final ChannelHandlerContext context;
    private final AnswerQueue.Pending pending;

    Reply(RequestHandler handler, ChannelHandlerContext context, AnswerQueue.Pending pending) {
        this.handler = handler;
        this.context = context;
        this.pending = pending;
    }

    /** Answers; what is answered at about the same time leaves together. */
    public void answer(FullHttpResponse answer) {
        handler.reply(context, pending, answer);
    }

    /** The event loop of the request. */
    public EventLoop loop() {
        return context.channel().eventLoop();
    }
}
