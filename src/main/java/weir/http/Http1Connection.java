package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.http.ConnectionPool.ClientConnection;

/** A client's HTTP/1.1 connection, with one request and its answer at a time. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
public abstract class Http1Connection<T> extends ChannelInboundHandlerAdapter implements ClientConnection {
    private final int slot;
    private final ConnectionPool<?> pool;
    private final MessageReader reader;
    private @Nullable ChannelHandlerContext context;
    private @Nullable T request;
    private long sentNanos;
    private boolean over;
    private boolean reported;
    private final MessageReader.End next = () -> {
        answered();
        return !over;
    };

    protected Http1Connection(int slot, ConnectionPool<?> pool, int keptBytes) {
        this.slot = slot;
        this.pool = pool;
        this.reader = MessageReader.ofAnswers(keptBytes);
    }

    /** Handles the answer to a request. The answer is valid only during the call. */
    protected abstract void answered(T answered, HttpAnswer answer, long sentNanos);

    protected abstract void lost(T lost, String why, boolean late);

    /** Begins a request. The caller must write the request next. */
    protected final ChannelHandlerContext begin(T next, long nowNanos) {
        request = next;
        sentNanos = nowNanos;
        return Objects.requireNonNull(context, "this HTTP connection is not open yet");
    }

    protected final long sentNanos() {
        return sentNanos;
    }

    @Override
    public final int slot() {
        return slot;
    }

    @Override
    public final void join(ChannelPipeline pipeline) {
        pipeline.addLast(this);
    }

    @Override
    public final boolean room() {
        return !over && request == null && context != null && context.channel().isActive();
    }

    @Override
    public final long expire(long sentBeforeNanos, String why) {
        if (request != null && sentNanos < sentBeforeNanos) {
            // A late answer would count as the answer to the next request.
            lose(why, true);
            end();
        }
        return request == null ? Long.MAX_VALUE : sentNanos;
    }

    public static void decimal(ByteBuf into, int number) {
        int power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (int left = power; left > 0; left /= 10) {
            into.writeByte('0' + number / left % 10);
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        if (added.channel().isActive()) {
            pool.ready(this);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        pool.ready(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        try {
            reader.read((ByteBuf) message, from.alloc(), next);
        } catch (MessageReader.Malformed e) {
            drop(String.valueOf(e.getMessage()));
        }
    }

    private void answered() throws MessageReader.Malformed {
        HttpAnswer answer = reader.answer();
        T done = request;
        if (done == null) {
            throw new MessageReader.Malformed("an unexpected HTTP answer: " + answer.summary());
        }
        if (!answer.keepAlive) {
            end();
        }
        long doneNanos = sentNanos;
        request = null;
        // The connection is free before the answer is handled, because the handler may send the next request.
        pool.ready(this);
        answered(done, answer, doneNanos);
    }

    private void end() {
        over = true;
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) throws MessageReader.Malformed {
        reader.release();
        if (!over && request != null && reader.closed()) {
            over = true;
            answered();
        }
        lose("the connection was closed", false);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        drop(String.valueOf(cause.getMessage()));
    }

    private void lose(String why, boolean late) {
        if (reported) {
            return;
        }
        reported = true;
        over = true;
        T lost = request;
        request = null;
        pool.ended(this);
        if (lost != null) {
            lost(lost, why, late);
        }
    }

    @Override
    public void drop(String why) {
        lose(why, false);
        end();
    }
}
