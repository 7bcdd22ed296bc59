package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/** A client's HTTP/1.1 connection, with one request and its answer at a time. One event loop owns it. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
public abstract class Http1Connection extends ChannelInboundHandlerAdapter {
    private final ResponseReader reader;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf rest;

    private boolean over;
    private boolean told;

    protected Http1Connection(int keptBytes) {
        this.reader = new ResponseReader(keptBytes);
    }

    protected abstract boolean busy();

    protected abstract void connected();

    /** Handles the answer to the open request, which is valid only during the call. */
    protected abstract void answered(HttpAnswer answer);

    /** Handles the end of the connection, once; an open request is lost. */
    protected abstract void ended(String why);

    public final boolean room() {
        return !over && !busy() && context != null && context.channel().isActive();
    }

    protected final ChannelHandlerContext context() {
        ChannelHandlerContext known = context;
        if (known == null) {
            throw new IllegalStateException("this connection is not there yet");
        }
        return known;
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
            connected();
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        connected();
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
            while (!over && reader.read(in)) {
                answered();
            }
            if (in.isReadable() && !over) {
                rest = from.alloc().buffer(in.readableBytes()).writeBytes(in);
            }
        } catch (ResponseReader.Malformed e) {
            drop(String.valueOf(e.getMessage()));
        } finally {
            in.release();
        }
    }

    private void answered() throws ResponseReader.Malformed {
        HttpAnswer answer = reader.answer();
        if (!busy()) {
            throw new ResponseReader.Malformed("an answer that nobody asked for: " + answer.told());
        }
        if (!answer.keepAlive) {
            end();
        }
        answered(answer);
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
        if (!over && busy() && reader.closed()) {
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
        if (!told) {
            told = true;
            over = true;
            ended(why);
        }
    }

    /** Ends the connection; an open request is lost. May be called again. */
    public void drop(String why) {
        lose(why);
        end();
    }
}
