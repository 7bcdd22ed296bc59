package weir.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/** A client's HTTP/1.1 connection, with one request and its answer at a time. One event loop owns it. */
// A failed write or close also ends the connection, and that end is handled.
@SuppressWarnings("FutureReturnValueIgnored")
public abstract class Http1Connection extends ChannelInboundHandlerAdapter {
    private final MessageReader reader;
    private final MessageReader.End next = this::next;
    private @Nullable ChannelHandlerContext context;

    private boolean over;
    private boolean told;

    protected Http1Connection(int keptBytes) {
        this.reader = MessageReader.ofAnswers(keptBytes);
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
        try {
            reader.read((ByteBuf) message, from.alloc(), next);
        } catch (MessageReader.Malformed e) {
            drop(String.valueOf(e.getMessage()));
        }
    }

    private boolean next() throws MessageReader.Malformed {
        answered();
        return !over;
    }

    private void answered() throws MessageReader.Malformed {
        HttpAnswer answer = reader.answer();
        if (!busy()) {
            throw new MessageReader.Malformed("an answer that nobody asked for: " + answer.told());
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
    public void channelInactive(ChannelHandlerContext from) throws MessageReader.Malformed {
        reader.release();
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
