package weir.live;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Numbered events for whoever listens (Server-Sent Events), of which the latest are kept: a client that comes back says
 * which it has seen last and gets those since then, or {@link #RESET} when they are not all there any more. Safe for many
 * threads; a client that does not read is dropped.
 */
// A write or close that fails ends its connection, and that is heard.
@SuppressWarnings("FutureReturnValueIgnored")
public final class EventStream implements AutoCloseable {
    /** The number before that of the first event. */
    public static final long NONE = 0;

    /** The event that tells a client to read everything anew. */
    public static final String RESET = "reset";

    private static final byte[] BEGINNING = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final int mostBytes;
    private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
    private final Set<Channel> clients = new HashSet<>();
    private int bytes;
    private long last = NONE;

    /** @param mostBytes that are kept for those who come back */
    public EventStream(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Tells all clients; {@code data} is one line. */
    public synchronized void publish(String event, String data) {
        if (data.indexOf('\n') >= 0 || data.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("the data of an event is one line, but that of '" + event + "' is more");
        }
        last++;
        byte[] encoded = encoded(last, event, data);
        kept.add(encoded);
        bytes += encoded.length;
        while (bytes > mostBytes && kept.size() > 1) {
            bytes -= kept.remove().length;
        }
        toAll(encoded);
    }

    /** The number of the latest event. */
    public synchronized long last() {
        return last;
    }

    /** The number of clients that listen. */
    public synchronized int clients() {
        return clients.size();
    }

    /** True when all events after this one are still there. */
    synchronized boolean has(long after) {
        return after <= last && after >= last - kept.size();
    }

    private static byte[] encoded(long id, String event, String data) {
        return ("id: " + id + "\nevent: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /** A client whose answer has begun; to be called by its event loop. */
    synchronized void add(Channel client, long after) {
        write(client, BEGINNING);
        if (has(after)) {
            Iterator<byte[]> each = kept.iterator();
            for (long number = last - kept.size() + 1; number <= last; number++) {
                byte[] event = each.next();
                if (number > after) {
                    write(client, event);
                }
            }
        } else {
            write(client, encoded(last, RESET, "{}"));
        }
        client.flush();
        clients.add(client);
        client.closeFuture().addListener(closed -> remove(client));
    }

    private synchronized void remove(Channel client) {
        clients.remove(client);
    }

    /** Keeps connections from being taken for dead, and finds those that are. */
    synchronized void heartbeat() {
        toAll(HEARTBEAT);
    }

    private void toAll(byte[] encoded) {
        // One that is closed by its own event loop is taken out at once.
        for (Channel client : List.copyOf(clients)) {
            if (client.isWritable()) {
                write(client, encoded);
                client.flush();
            } else {
                client.close();
            }
        }
    }

    private static void write(Channel client, byte[] encoded) {
        client.write(new DefaultHttpContent(Unpooled.wrappedBuffer(encoded)));
    }

    /** Lets all clients go. */
    @Override
    public synchronized void close() {
        List.copyOf(clients).forEach(Channel::close);
    }
}
