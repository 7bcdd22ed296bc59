package weir.load.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;
import weir.load.engine.EngineCounters;
import weir.wire.Api;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.ProduceRequest;

/** One sender's connection to one broker, and its requests, which the broker answers in order. */
final class BrokerConnection extends LeaderConnection<PartitionQueue> {
    private final ProducerSettings settings;
    private final InFlightRequest[] requests;
    private int head;
    int inFlight;
    private int fromQueue;
    private long mutedUntilNanos = Long.MIN_VALUE;

    static final class InFlightRequest {
        private final ProduceRequest request;
        final List<PartitionQueue> queues = new ArrayList<>();
        final List<BatchBuffer> buffers = new ArrayList<>();
        int correlation;
        long sentNanos;
        long mark;

        private InFlightRequest(ProduceRequest request) {
            this.request = request;
        }
    }

    BrokerConnection(int id, Endpoint at, ProducerSettings settings) {
        super(id, at);
        this.settings = settings;
        this.requests = new InFlightRequest[settings.inFlight()];
    }

    @Override
    void begin(Connection opened) throws IOException {
        short version = opened.version(Api.PRODUCE);
        int timeoutMillis = (int) (settings.requestNanos() / 1_000_000);
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new InFlightRequest(
                    new ProduceRequest(settings.clientId(), version, settings.acks(), timeoutMillis));
        }
        head = 0;
        inFlight = 0;
    }

    @Override
    boolean overdue(long nowNanos) {
        return inFlight > 0 && nowNanos - request(0).sentNanos > settings.requestNanos();
    }

    @Override
    void forget(long nowNanos) {
        while (inFlight > 0) {
            InFlightRequest flight = request(0);
            for (int i = 0; i < flight.buffers.size(); i++) {
                BatchBuffer buffer = flight.buffers.get(i);
                if (buffer.onItsWay) {
                    flight.queues.get(i).returned(buffer, true);
                    buffer.backOff(nowNanos, settings, Errors.NETWORK_EXCEPTION.exception());
                }
            }
            completed();
        }
    }

    void mute(long untilNanos) {
        mutedUntilNanos = Math.max(mutedUntilNanos, untilNanos);
    }

    short version() {
        return requests[0].request.version();
    }

    InFlightRequest request(int which) {
        return requests[(head + which) % requests.length];
    }

    void completed() {
        head = (head + 1) % requests.length;
        inFlight--;
    }

    boolean send(long nowNanos, EngineCounters<WireCount> counters) throws IOException {
        boolean sent = false;
        while (inFlight < requests.length && nowNanos >= mutedUntilNanos) {
            InFlightRequest next = request(inFlight);
            gather(next, nowNanos);
            if (next.buffers.isEmpty()) {
                break;
            }
            depart(next, nowNanos, counters);
            sent = true;
        }
        return sent;
    }

    private void gather(InFlightRequest next, long nowNanos) {
        next.request.clear();
        next.queues.clear();
        next.buffers.clear();
        int bytes = 0;
        int start = fromQueue < partitions.size() ? fromQueue : 0;
        fromQueue = 0;
        for (int i = 0; i < partitions.size(); i++) {
            int place = (start + i) % partitions.size();
            // A request does not wrap around, so that the partitions of a topic stay together.
            if (place < start && !next.buffers.isEmpty()) {
                return;
            }
            PartitionQueue queue = partitions.get(place);
            BatchBuffer buffer = queue.ready(nowNanos, settings.inFlight());
            if (buffer == null) {
                continue;
            }
            if (!next.buffers.isEmpty() && bytes + buffer.size() > settings.requestBytes()) {
                fromQueue = place;
                return;
            }
            bytes += buffer.size();
            next.queues.add(queue);
            next.buffers.add(buffer);
            next.request.add(queue.topic, queue.partition.number(), buffer.bytes());
        }
    }

    private void depart(InFlightRequest next, long nowNanos, EngineCounters<WireCount> counters) throws IOException {
        Connection up = connection();
        next.correlation = up.nextCorrelation();
        next.sentNanos = nowNanos;
        next.request.seal(next.correlation);
        inFlight++;
        for (int i = 0; i < next.buffers.size(); i++) {
            BatchBuffer buffer = next.buffers.get(i);
            next.queues.get(i).sent(buffer);
            counters.add(WireCount.BATCHES, 1);
            counters.add(WireCount.RECORDS, buffer.records);
            counters.add(WireCount.BYTES, buffer.size());
            counters.add(WireCount.RAW_BYTES, buffer.rawSize());
            counters.add(WireCount.QUEUE_NANOS, nowNanos - buffer.takenNanos);
        }
        counters.add(WireCount.BEGUN, 1);
        next.mark = up.taken() + next.request.bytes();
        up.send(next.request.parts(), next.request.count());
    }
}
