package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.wire.Api;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.ProduceRequest;

/** One sender's connection to one broker and the requests on it, which the broker answers in order. */
final class BrokerConnection {
    private final int broker;
    private final ProducerSettings terms;
    private final List<PartitionQueue> lanes = new ArrayList<>();
    private final Flight[] flights;
    private Endpoint at;
    private @Nullable Connection connection;
    private int head;
    private int flying;
    private int fromLane;
    private int failures;
    private long mutedUntilNanos = Long.MIN_VALUE;
    /** Which of its attempts to connect counts: answers to earlier ones come too late. */
    private int attempt;

    private boolean dialling;

    /** A request that was sent, and its batches. */
    static final class Flight {
        private final ProduceRequest request;
        final List<PartitionQueue> lanes = new ArrayList<>();
        final List<BatchBuffer> slots = new ArrayList<>();
        int correlation;
        long sentNanos;
        /** So many bytes will have been written when all of it is. */
        long mark;

        private Flight(ProduceRequest request) {
            this.request = request;
        }
    }

    BrokerConnection(int broker, Endpoint at, ProducerSettings terms) {
        this.broker = broker;
        this.at = at;
        this.terms = terms;
        this.flights = new Flight[terms.inFlight()];
    }

    int broker() {
        return broker;
    }

    Endpoint at() {
        return at;
    }

    void at(Endpoint moved) {
        at = moved;
    }

    List<PartitionQueue> lanes() {
        return lanes;
    }

    boolean up() {
        return connection != null;
    }

    Connection connection() {
        Connection up = connection;
        if (up == null) {
            throw new IllegalStateException("no connection to broker " + at);
        }
        return up;
    }

    /** True when nobody is connecting it. */
    boolean idle() {
        return connection == null && !dialling;
    }

    int dial() {
        dialling = true;
        return ++attempt;
    }

    boolean dials(int which) {
        return dialling && which == attempt;
    }

    int failures() {
        return failures;
    }

    void failed() {
        dialling = false;
        failures++;
    }

    void connected(Connection opened, Selector selector) throws IOException {
        dialling = false;
        short version = opened.version(Api.PRODUCE);
        int timeoutMillis = (int) (terms.requestNanos() / 1_000_000);
        for (int i = 0; i < flights.length; i++) {
            flights[i] = new Flight(new ProduceRequest(terms.clientId(), version, terms.acks(), timeoutMillis));
        }
        head = 0;
        flying = 0;
        connection = opened;
        opened.register(selector, this);
    }

    /** It answered, so the next pause before a connection is short again. */
    void answered() {
        failures = 0;
    }

    void hangUp() {
        Connection down = connection;
        connection = null;
        dialling = false;
        if (down != null) {
            failures++;
            down.close();
        }
    }

    /** The broker wants to hear nothing until then. */
    void mute(long untilNanos) {
        mutedUntilNanos = Math.max(mutedUntilNanos, untilNanos);
    }

    short version() {
        return flights[0].request.version();
    }

    int flying() {
        return flying;
    }

    Flight flight(int which) {
        return flights[(head + which) % flights.length];
    }

    /** The first one is over. */
    void landed() {
        head = (head + 1) % flights.length;
        flying--;
    }

    /** Sends what may be sent, as many batches in each request as fit. Whether it sent any. */
    boolean send(long nowNanos, WireCounters tally) throws IOException {
        boolean sent = false;
        while (flying < flights.length && nowNanos >= mutedUntilNanos) {
            Flight next = flight(flying);
            gather(next, nowNanos);
            if (next.slots.isEmpty()) {
                break;
            }
            depart(next, nowNanos, tally);
            sent = true;
        }
        return sent;
    }

    /** Once around the lanes, beginning where the request before was full. */
    private void gather(Flight next, long nowNanos) {
        next.request.clear();
        next.lanes.clear();
        next.slots.clear();
        int bytes = 0;
        int start = fromLane < lanes.size() ? fromLane : 0;
        fromLane = 0;
        for (int i = 0; i < lanes.size(); i++) {
            int place = (start + i) % lanes.size();
            // Those of a topic stay together: a request does not go round the corner.
            if (place < start && !next.slots.isEmpty()) {
                return;
            }
            PartitionQueue lane = lanes.get(place);
            BatchBuffer slot = lane.ready(nowNanos, terms.inFlight());
            if (slot == null) {
                continue;
            }
            if (!next.slots.isEmpty() && bytes + slot.size() > terms.requestBytes()) {
                fromLane = place;
                return;
            }
            bytes += slot.size();
            next.lanes.add(lane);
            next.slots.add(slot);
            next.request.add(lane.topic(), lane.partition().number(), slot.bytes());
        }
    }

    private void depart(Flight next, long nowNanos, WireCounters tally) throws IOException {
        Connection up = connection();
        next.correlation = up.nextCorrelation();
        next.sentNanos = nowNanos;
        next.request.seal(next.correlation);
        flying++;
        for (int i = 0; i < next.slots.size(); i++) {
            BatchBuffer slot = next.slots.get(i);
            next.lanes.get(i).sent(slot);
            tally.add(WireCounters.Count.BATCHES, 1);
            tally.add(WireCounters.Count.RECORDS, slot.records());
            tally.add(WireCounters.Count.BYTES, slot.size());
            tally.add(WireCounters.Count.RAW_BYTES, slot.rawSize());
            tally.add(WireCounters.Count.QUEUE_NANOS, nowNanos - slot.takenNanos);
        }
        tally.add(WireCounters.Count.BEGUN, 1);
        next.mark = up.taken() + next.request.bytes();
        up.send(next.request.parts(), next.request.count());
    }
}
