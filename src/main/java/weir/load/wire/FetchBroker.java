package weir.load.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
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

/** The connection of one reader to a broker that leads some of its partitions. At most one request is in flight. */
final class FetchBroker extends LeaderConnection<FetchPosition> {
    private static final long MILLI = 1_000_000;

    private final FetchSettings settings;
    private final FetchSession session;
    final FetchResponse response = new FetchResponse();
    private final List<FetchPosition> ready = new ArrayList<>();
    private final ByteBuffer[] parts = new ByteBuffer[1];
    private boolean asked;
    private short version;
    private int correlation;
    long askedNanos;
    private long pausedNanos;

    FetchBroker(int id, Endpoint at, String clientId, FetchSettings settings, long now) {
        super(id, at);
        this.settings = settings;
        this.session = new FetchSession(new FetchRequest(new RequestHead(clientId)), settings);
        this.pausedNanos = now;
    }

    @Override
    void begin(Connection opened) {}

    @Override
    void forget(long now) {
        asked = false;
        session.forget();
    }

    void ask(long now) throws IOException {
        if (!up() || asked || pausedNanos - now > 0) {
            return;
        }
        ready.clear();
        for (int i = 0; i < partitions.size(); i++) {
            if (partitions.get(i).ready(now)) {
                ready.add(partitions.get(i));
            }
        }
        if (ready.isEmpty()) {
            return;
        }
        Connection to = connection();
        version = FetchSession.version(to.version(Api.FETCH), ready);
        correlation = to.nextCorrelation();
        parts[0] = session.ask(version, correlation, ready);
        asked = true;
        askedNanos = now;
        to.send(parts, 1);
    }

    @Nullable ResponseFrame answer() throws IOException {
        if (!up()) {
            return null;
        }
        connection().flush();
        return connection().next();
    }

    boolean begin(ResponseFrame frame, long now) throws IOException {
        if (!asked || frame.correlation() != correlation) {
            throw new IOException("it answered request " + frame.correlation() + " instead of " + correlation);
        }
        asked = false;
        failures = 0;
        response.begin(frame.body(Api.FETCH, version), version);
        pausedNanos = now + response.throttleMillis * MILLI;
        if (response.error == 0) {
            session.answered(response.sessionId);
            return true;
        }
        session.forget();
        return false;
    }

    void again(ResponseFrame frame) throws IOException {
        response.begin(frame.body(Api.FETCH, version), version);
    }

    void pause(long now, long millis) {
        pausedNanos = Math.max(pausedNanos, now + millis * MILLI);
    }

    FetchPosition answered(int hint) throws IOException {
        List<FetchPosition> members = session.members;
        for (int i = 0; i < members.size(); i++) {
            FetchPosition one = members.get((hint + i) % members.size());
            if (one.partition.number() == response.partitionIndex && response.isFor(one.topic)) {
                return one;
            }
        }
        throw new IOException("it answered for partition " + response.partitionIndex + ", which was not requested");
    }

    @Override
    boolean overdue(long now) {
        return asked
                && now - askedNanos
                        > (settings.timeoutMillis() + (long) settings.limits().maxWaitMillis()) * MILLI;
    }

    boolean paused() {
        return up() && !asked && !partitions.isEmpty();
    }

    /**
     * The fetch session of one reader at a broker. With a session, a request names only partitions with a new offset. A
     * single partition needs no session.
     */
    static final class FetchSession {
        private static final short FIRST_VERSION = 7;
        private static final short FIRST_VERSION_WITH_IDS = 13;

        private final FetchRequest request;
        private final FetchSettings settings;
        final List<FetchPosition> members = new ArrayList<>();
        private final List<FetchPosition> changed = new ArrayList<>();
        private int id;
        private int epoch;

        FetchSession(FetchRequest request, FetchSettings settings) {
            this.request = request;
            this.settings = settings;
        }

        static short version(short spoken, List<FetchPosition> readings) {
            boolean ids = true;
            for (int i = 0; i < readings.size(); i++) {
                ids &= readings.get(i).topic.hasId();
            }
            return ids ? spoken : (short) Math.min(spoken, FIRST_VERSION_WITH_IDS - 1);
        }

        ByteBuffer ask(short version, int correlation, List<FetchPosition> readings) {
            boolean same = id != FetchRequest.NO_SESSION && members.equals(readings);
            if (!same) {
                members.clear();
                members.addAll(readings);
                epoch = FetchRequest.NEW_EPOCH;
            }
            changed.clear();
            for (int i = 0; i < members.size(); i++) {
                FetchPosition one = members.get(i);
                one.asked = one.through;
                if (!same || one.asked != one.sessionOffset || one.leaderEpoch != one.sessionLeaderEpoch) {
                    changed.add(one);
                    one.sessionOffset = one.asked;
                    one.sessionLeaderEpoch = one.leaderEpoch;
                }
            }
            boolean alone = members.size() == 1 || version < FIRST_VERSION;
            int session = alone ? FetchRequest.NO_SESSION : id;
            int next = alone ? FetchRequest.NO_EPOCH : epoch;
            request.begin(version, correlation, settings.limits(), session, next, topics());
            write();
            return request.end();
        }

        private int topics() {
            int topics = 0;
            for (int i = 0; i < changed.size(); i++) {
                topics += i == 0 || topic(i) != topic(i - 1) ? 1 : 0;
            }
            return topics;
        }

        private int topic(int which) {
            return changed.get(which).partition.topic();
        }

        private void write() {
            for (int first = 0; first < changed.size(); ) {
                int behind = first;
                while (behind < changed.size() && topic(behind) == topic(first)) {
                    behind++;
                }
                request.topic(changed.get(first).topic, behind - first);
                for (int i = first; i < behind; i++) {
                    FetchPosition one = changed.get(i);
                    request.partition(
                            one.partition.number(),
                            one.leaderEpoch,
                            one.asked,
                            one.lastEpoch,
                            settings.partitionBytes());
                }
                first = behind;
            }
        }

        void answered(int sessionId) {
            id = sessionId;
            epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        }

        void forget() {
            id = FetchRequest.NO_SESSION;
            epoch = FetchRequest.NEW_EPOCH;
        }
    }
}
