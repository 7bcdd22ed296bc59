package weir.feature.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import weir.feature.http.HttpConnection.HttpCall;
import weir.feature.http.RequestBodies.RequestHeads;
import weir.http.ConnectionPool;
import weir.http.Http1Connection;
import weir.http.HttpAnswer;

/** A sender's connection that speaks HTTP/1.1, one request at a time. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
final class RecordConnection extends Http1Connection<HttpCall> implements HttpConnection {
    private static final int COPIED_BYTES = 16 << 10;

    private static final int HEAD_BYTES = 1 << 10;

    private final RequestHeads heads;
    private final HttpSender sender;

    RecordConnection(int slot, RequestHeads heads, HttpSender sender, ConnectionPool<HttpConnection> pool) {
        super(slot, pool, KEPT_BYTES);
        this.heads = heads;
        this.sender = sender;
    }

    @Override
    public void send(HttpCall next) {
        ChannelHandlerContext on = begin(next, next.sentNanos);
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
    protected void answered(HttpCall done, HttpAnswer answer, long sentNanos) {
        sender.answered(done, answer);
    }

    @Override
    protected void lost(HttpCall lost, String why, boolean late) {
        sender.lost(lost, why);
    }
}
