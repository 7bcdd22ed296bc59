package weir.load.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.wire.Api;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.FetchRequest;
import weir.wire.FetchResponse;
import weir.wire.RequestHead;
import weir.wire.ResponseFrame;

/** A broker that leads partitions of one reader: the connection to it, and the one request that is on its way. */
final class FetchBroker implements AutoCloseable {
    private static final long MILLI = 1_000_000;

    private final Endpoint at;
    private final FetchSettings settings;
    private final FetchSession session;
    private final FetchResponse response = new FetchResponse();
    private final List<FetchPosition> readings = new ArrayList<>();
    private final List<FetchPosition> ready = new ArrayList<>();
    private final ByteBuffer[] parts = new ByteBuffer[1];
    private @Nullable Connection connection;
    private boolean dialing;
    private int failures;
    private boolean asked;
    private short version;
    private int correlation;
    private long askedNanos;
    private long pausedNanos;

    FetchBroker(Endpoint at, String clientId, FetchSettings settings, long now) {
        this.at = at;
        this.settings = settings;
        this.session = new FetchSession(new FetchRequest(new RequestHead(clientId)), settings);
        this.pausedNanos = now;
    }

    Endpoint at() {
        return at;
    }

    List<FetchPosition> readings() {
        return readings;
    }

    FetchResponse response() {
        return response;
    }

    /** True when somebody should connect. */
    boolean wantsConnection() {
        return connection == null && !dialing;
    }

    /** Failed attempts in a row. */
    int dials() {
        dialing = true;
        return failures;
    }

    void connected(Connection to, Selector selector) throws IOException {
        dialing = false;
        to.register(selector, this);
        connection = to;
    }

    /** The connection is of no more use, or there will be none. */
    void failed() {
        dialing = false;
        failures++;
        hangUp();
    }

    private void hangUp() {
        Connection last = connection;
        connection = null;
        asked = false;
        session.forget();
        if (last != null) {
            last.close();
        }
    }

    /** Asks for all that is ready, unless something is on its way. */
    void ask(long now) throws IOException {
        Connection to = connection;
        if (to == null || asked || pausedNanos - now > 0) {
            return;
        }
        ready.clear();
        for (int i = 0; i < readings.size(); i++) {
            if (readings.get(i).ready(now)) {
                ready.add(readings.get(i));
            }
        }
        if (ready.isEmpty()) {
            return;
        }
        version = FetchSession.version(to.version(Api.FETCH), ready);
        correlation = to.nextCorrelation();
        parts[0] = session.ask(version, correlation, ready);
        asked = true;
        askedNanos = now;
        to.send(parts, 1);
    }

    /** The next answer, if it is there. */
    @Nullable ResponseFrame answer() throws IOException {
        Connection from = connection;
        if (from == null) {
            return null;
        }
        from.flush();
        return from.next();
    }

    /** Begins to read an answer; whether it is one. */
    boolean begin(ResponseFrame frame, long now) throws IOException {
        if (!asked || frame.correlation() != correlation) {
            throw new IOException("it answers request " + frame.correlation() + " when asked " + correlation);
        }
        asked = false;
        failures = 0;
        response.begin(frame.body(Api.FETCH, version), version);
        pausedNanos = now + response.throttleMillis() * MILLI;
        if (response.error() == 0) {
            session.answered(response.sessionId());
            return true;
        }
        session.forget();
        return false;
    }

    /** Reads the answer once more. */
    void again(ResponseFrame frame) throws IOException {
        response.begin(frame.body(Api.FETCH, version), version);
    }

    /** For so long it is not asked. */
    void pause(long now, long millis) {
        pausedNanos = Math.max(pausedNanos, now + millis * MILLI);
    }

    /** The one that the answer stands at; partitions mostly come in the order that they were asked for. */
    FetchPosition answered(int hint) throws IOException {
        List<FetchPosition> members = session.members();
        for (int i = 0; i < members.size(); i++) {
            FetchPosition one = members.get((hint + i) % members.size());
            if (one.partition.number() == response.partitionIndex() && response.of(one.topic)) {
                return one;
            }
        }
        throw new IOException("it answers for partition " + response.partitionIndex() + ", which was not asked for");
    }

    long tookNanos(long now) {
        return now - askedNanos;
    }

    /** True when an answer is overdue. */
    boolean overdue(long now) {
        return asked
                && now - askedNanos
                        > (settings.timeoutMillis() + (long) settings.limits().maxWaitMillis()) * MILLI;
    }

    /** True when it waits for nothing but for time to pass. */
    boolean paused() {
        return connection != null && !asked;
    }

    @Override
    public void close() {
        hangUp();
    }
}
