package weir.load.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The processes that hold events on their way to a receiver. They are asked one after the other, each on a connection of its own. */
final class EventHolders {
    /** In place of a number that nobody tells just now. */
    static final long UNKNOWN = -1;

    private static final int CONNECT_MILLIS = 500;
    private static final int ANSWER_MILLIS = 1_000;
    private static final int MOST_BYTES = 64 << 10;
    private static final JsonFactory JSON = new JsonFactory();

    private final List<URI> holders;
    private final boolean inMemory;
    /** The number of events that each had parked when it was asked last. */
    private final long[] parked;
    /** Events that former processes in their places had parked. */
    private long parkedBefore;

    private volatile long lastHeld;
    private volatile long lastParked;

    /** The answer of one holder. */
    private record Told(long held, long parked) {}

    /** {@code inMemory}: what a holder held is gone when it is. */
    EventHolders(List<String> urls, boolean inMemory) {
        this.holders = urls.stream().map(URI::create).toList();
        this.inMemory = inMemory;
        this.parked = new long[holders.size()];
    }

    /** Asks how many events all hold together; {@link #UNKNOWN} when one does not tell. */
    synchronized long ask() {
        long held = 0;
        for (int i = 0; i < parked.length; i++) {
            Told told = told(holders.get(i));
            held = held == UNKNOWN || told.held < 0 ? UNKNOWN : held + told.held;
            if (told.parked >= 0) {
                parkedBefore += told.parked < parked[i] ? parked[i] : 0;
                parked[i] = told.parked;
            }
        }
        long all = parkedBefore;
        for (long each : parked) {
            all += each;
        }
        lastHeld = held;
        lastParked = all;
        return held;
    }

    /** The events held when they were asked last. */
    long held() {
        return lastHeld;
    }

    /** The events parked when they were asked last, also by processes that are gone. */
    long parked() {
        return lastParked;
    }

    private Told told(URI holder) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(holder.getHost(), holder.getPort()), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream()
                    .write(("GET /held HTTP/1.1\r\nHost: " + holder.getAuthority() + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return answer(socket.getInputStream());
        } catch (ConnectException gone) {
            return new Told(inMemory ? 0 : UNKNOWN, UNKNOWN);
        } catch (IOException silent) {
            return new Told(UNKNOWN, UNKNOWN);
        }
    }

    /** The connection may stay open behind it. */
    private static String upToTheEndOfAnObject(InputStream in) throws IOException {
        StringBuilder answer = new StringBuilder();
        byte[] some = new byte[1_024];
        int read = in.read(some);
        while (read > 0 && answer.length() < MOST_BYTES) {
            answer.append(new String(some, 0, read, StandardCharsets.US_ASCII));
            read = answer.indexOf("}") < 0 ? in.read(some) : 0;
        }
        return answer.toString();
    }

    private static Told answer(InputStream in) throws IOException {
        String answer = upToTheEndOfAnObject(in);
        int body = answer.indexOf('{');
        long held = UNKNOWN;
        long parked = UNKNOWN;
        if (!answer.startsWith("HTTP/1.1 200") || body < 0) {
            return new Told(held, parked);
        }
        try (JsonParser json = JSON.createParser(answer.substring(body))) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                long value = json.nextToken().isNumeric() ? json.getLongValue() : UNKNOWN;
                held = name.equals("held") ? value : held;
                parked = name.equals("parked") ? value : parked;
            }
        }
        return new Told(held, parked);
    }
}
