package weir.load.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;
import weir.load.http.HttpConnection.HttpCall;
import weir.load.http.RequestBodies.RequestHeads;

/** A sender's connection that speaks HTTP/1.1, one request at a time. */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
final class RecordConnection extends Http1Connection implements HttpConnection {
    /** A body up to this size is copied behind its head; larger ones are written from where they are. */
    private static final int COPIED_BYTES = 16 << 10;

    private static final int HEAD_BYTES = 1 << 10;

    private final int slot;
    private final RequestHeads heads;
    private final HttpConnections pool;
    private @Nullable HttpCall call;

    RecordConnection(int slot, RequestHeads heads, HttpConnections pool) {
        super(KEPT_BYTES);
        this.slot = slot;
        this.heads = heads;
        this.pool = pool;
    }

    @Override
    protected boolean busy() {
        return call != null;
    }

    @Override
    protected void connected() {
        pool.ready(this);
    }

    @Override
    public void send(HttpCall next) {
        ChannelHandlerContext on = context();
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
    protected void answered(HttpAnswer answer) {
        HttpCall done = call;
        call = null;
        if (done != null) {
            pool.sender().answered(done, answer);
            pool.ready(this);
        }
    }

    @Override
    protected void ended(String why) {
        HttpCall lost = call;
        call = null;
        if (lost != null) {
            pool.sender().lost(lost, why);
        }
        pool.ended(this);
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
}
