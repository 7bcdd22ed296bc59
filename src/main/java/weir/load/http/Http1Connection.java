package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;

/** A connection that speaks HTTP/1.1, one request at a time. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class Http1Connection extends ChannelInboundHandlerAdapter implements HttpConnection {
    /** A body up to this size is copied behind its head; larger ones are written from where they are. */
    private static final int COPIED_BYTES = 16 << 10;

    private static final int HEAD_BYTES = 1 << 10;

    private final int slot;
    private final RequestHeads heads;
    private final Listener listener;
    private final ResponseReader reader = new ResponseReader();
    private @Nullable ChannelHandlerContext context;
    private @Nullable HttpCall call;
    /** Bytes of an answer whose rest has not come. */
    private @Nullable ByteBuf rest;
    /** Nothing is sent on it any more. */
    private boolean over;
    /** The listener knows that it has ended. */
    private boolean told;

    Http1Connection(int slot, RequestHeads heads, Listener listener) {
        this.slot = slot;
        this.heads = heads;
        this.listener = listener;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        if (added.channel().isActive()) {
            listener.ready(this);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        listener.ready(this);
    }

    @Override
    public boolean room() {
        return !over && call == null && context != null && context.channel().isActive();
    }

    @Override
    public void send(HttpCall next) {
        ChannelHandlerContext on = context;
        if (on == null) {
            throw new IllegalStateException("this connection is not there yet");
        }
        call = next;
        int length = next.body.readableBytes();
        boolean copied = length <= COPIED_BYTES;
        ByteBuf head = on.alloc().directBuffer(HEAD_BYTES + next.identities.readableBytes() + (copied ? length : 0));
        heads.write(head, next);
        if (copied) {
            head.writeBytes(next.body, next.body.readerIndex(), length);
            on.writeAndFlush(head, on.voidPromise());
        } else {
            on.write(head, on.voidPromise());
            on.writeAndFlush(next.body.retainedDuplicate(), on.voidPromise());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        ByteBuf in = (ByteBuf) message;
        ByteBuf before = rest;
        if (before != null) {
            before.writeBytes(in);
            in.release();
            in = before;
            rest = null;
        }
        try {
            read(in);
            if (in.isReadable() && !over) {
                rest = from.alloc().buffer(in.readableBytes()).writeBytes(in);
            }
        } catch (ResponseReader.Malformed e) {
            drop(String.valueOf(e.getMessage()));
        } finally {
            in.release();
        }
    }

    private void read(ByteBuf in) throws ResponseReader.Malformed {
        while (!over && reader.read(in)) {
            answered();
        }
    }

    private void answered() throws ResponseReader.Malformed {
        HttpCall done = call;
        HttpAnswer answer = reader.answer();
        call = null;
        if (done == null) {
            throw new ResponseReader.Malformed("an answer that nobody asked for: " + answer.told());
        }
        if (!answer.keepAlive) {
            end();
        }
        listener.answered(done, answer);
        listener.ready(this);
    }

    private void end() {
        over = true;
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws ResponseReader.Malformed {
        ByteBuf left = rest;
        rest = null;
        if (left != null) {
            left.release();
        }
        if (!over && call != null && reader.closed()) {
            over = true;
            answered();
        }
        lose("the connection was closed");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        drop(String.valueOf(cause.getMessage()));
    }

    private void lose(String why) {
        if (told) {
            return;
        }
        told = true;
        over = true;
        HttpCall lost = call;
        call = null;
        if (lost != null) {
            listener.lost(lost, why);
        }
        listener.ended(this, why);
    }

    @Override
    public void join(ChannelPipeline pipeline) {
        pipeline.addLast(this);
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void expire(long sentBeforeNanos, String why) {
        if (call != null && call.sentNanos < sentBeforeNanos) {
            drop(why);
        }
    }

    @Override
    public void drop(String why) {
        lose(why);
        end();
    }
}
