package weir.live;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A limit of the bytes that wait for all clients of a server together: beyond it the one that has not read for longest is
 * dropped. Belongs to the server's one thread.
 */
// A close that fails has closed, too.
@SuppressWarnings("FutureReturnValueIgnored")
@Sharable
final class UnreadLimit extends ChannelOutboundHandlerAdapter {
    private final long most;
    /** By client; the first has had something waiting for longest. */
    private final Map<Channel, Long> waiting = new LinkedHashMap<>();

    private long all;

    UnreadLimit(long mostBytes) {
        most = mostBytes;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        long bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        ChannelPromise written = promise.unvoid();
        Channel client = context.channel();
        if (bytes > 0) {
            waiting.merge(client, bytes, Long::sum);
            all += bytes;
            written.addListener(left -> left(client, bytes));
        }
        context.write(message, written);
        while (all > most && dropLongest()) {
            // One may have less than what is too much.
        }
    }

    /** Closes the client that has not read for longest; false when all have what there is. */
    boolean dropLongest() {
        Iterator<Map.Entry<Channel, Long>> clients = waiting.entrySet().iterator();
        if (!clients.hasNext()) {
            return false;
        }
        Map.Entry<Channel, Long> longest = clients.next();
        clients.remove();
        all -= longest.getValue();
        longest.getKey().close();
        return true;
    }

    private void left(Channel client, long bytes) {
        Long before = waiting.get(client);
        // One that was dropped counts no more.
        if (before != null) {
            all -= bytes;
            if (before > bytes) {
                waiting.put(client, before - bytes);
            } else {
                waiting.remove(client);
            }
        }
    }
}
