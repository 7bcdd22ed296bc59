package weir.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbered Server-Sent Events for many clients. The stream stores the latest events. A client that reconnects with the
 * number of its last event gets all later events, or {@link #RESET} if some are no longer stored. The stream
 * disconnects clients that do not read. Safe for many threads.
 */
@SuppressWarnings("FutureReturnValueIgnored")
public final class EventStream {
    public static final long NONE = 0;

    /** The event that tells a client to load all data again. */
    public static final String RESET = "reset";

    private static final byte[] BEGINNING = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    /** The number of later heartbeats after which the stream disconnects a client without its heartbeat. */
    private static final int MOST_WAITS = 3;

    private final int mostBytes;
    private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
    private final Map<Channel, Heartbeat> clients = new HashMap<>();
    private int bytes;

    /** The latest heartbeat of a client, or the oldest unsent one; {@code waits} counts the later heartbeats. */
    private record Heartbeat(ChannelFuture left, int waits) {}

    private long last = NONE;

    public EventStream(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Sends an event to all clients; {@code data} is one line. */
    public synchronized void publish(String event, String data) {
        if (data.indexOf('\n') >= 0 || data.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("the data of an event must be one line, but '" + event + "' has more");
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

    /** Forgets all events, so that every client must load all data again. */
    public synchronized void reset() {
        publish(RESET, "{}");
        kept.clear();
        bytes = 0;
    }

    public synchronized long last() {
        return last;
    }

    public synchronized int clients() {
        return clients.size();
    }

    public synchronized boolean has(long after) {
        return after <= last && after >= last - kept.size();
    }

    private static byte[] encoded(long id, String event, String data) {
        return ("id: " + id + "\nevent: " + event + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Adds a client after the head of the answer. Called on the client's event loop. */
    synchronized void add(Channel client, long after) {
        write(client, BEGINNING);
        if (has(after)) {
            kept.stream().skip(after - last + kept.size()).forEach(event -> write(client, event));
        } else {
            write(client, encoded(last, RESET, "{}"));
        }
        client.flush();
        clients.put(client, new Heartbeat(client.newSucceededFuture(), 0));
        client.closeFuture().addListener(closed -> remove(client));
    }

    private synchronized void remove(Channel client) {
        clients.remove(client);
    }

    /** Sends a heartbeat to all clients. It keeps idle connections alive and reveals dead ones. */
    synchronized void heartbeat() {
        for (Channel client : List.copyOf(clients.keySet())) {
            Heartbeat beat = clients.get(client);
            if (beat == null) {
                continue;
            }
            boolean taken = beat.left.isDone();
            if (!taken && beat.waits + 1 >= MOST_WAITS) {
                // The machine of the client may sleep. The client connects again when the machine wakes up.
                client.close();
                continue;
            }
            ChannelFuture left = write(client, HEARTBEAT);
            client.flush();
            clients.put(client, taken ? new Heartbeat(left, 0) : new Heartbeat(beat.left, beat.waits + 1));
        }
    }

    private void toAll(byte[] encoded) {
        // Iterates over a copy, because closing a client may remove it at once.
        for (Channel client : List.copyOf(clients.keySet())) {
            if (client.isWritable()) {
                write(client, encoded);
                client.flush();
            } else {
                client.close();
            }
        }
    }

    private static ChannelFuture write(Channel client, byte[] encoded) {
        return client.write(new DefaultHttpContent(Unpooled.wrappedBuffer(encoded)));
    }
}
