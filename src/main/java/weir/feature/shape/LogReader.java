package weir.feature.shape;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.BrokerError;
import weir.wire.Call;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.FetchRequest;
import weir.wire.FetchResponse;
import weir.wire.Metadata;
import weir.wire.RecordCursor;
import weir.wire.RequestHead;
import weir.wire.TopicName;

/**
 * A reader of new records of several topics that joins no group and commits no offset. It reads at most a given number
 * of bytes per second. A partition that is behind for some seconds continues at its end.
 */
final class LogReader implements AutoCloseable {
    private static final String CLIENT_ID = "weir-shape";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final int MOST_SAMPLES = 600;
    private static final int MOST_BEHIND_SAMPLES = 5;
    private static final int MOST_ANSWER_BYTES = 64 << 20;
    private static final int FETCH_BYTES = 1 << 20;
    private static final int LEAST_FETCH_BYTES = 64 << 10;
    private static final int PARTITION_BYTES = 256 << 10;
    private static final int MOST_PARTITIONS = 500;
    private static final int WAIT_MILLIS = 500;
    private static final long PAUSE_NANOS = 200_000_000;
    private static final int LATEST_VERSION = Short.MAX_VALUE;
    private static final int LATEST_VERSION_WITH_NAMES = 12;

    private final BrokerAccess access;
    private final Connection.Options options = new Connection.Options(CLIENT_ID, -1, -1, MOST_ANSWER_BYTES);
    private final BootstrapBroker bootstrap;
    private final Map<String, ObservedTopic> topics = new TreeMap<>();
    private final double bytesPerSecond;
    private final RecordCursor cursor = ObservedTopic.cursor();
    private final FetchRequest request = new FetchRequest(new RequestHead(CLIENT_ID));
    private final Map<Integer, Call> calls = new HashMap<>();
    private final Map<String, List<Position>> positions = new TreeMap<>();
    private Map<Integer, Endpoint> brokers = Map.of();
    private TimeLimit answered = MachineClock.within(SILENCE);
    private boolean outdated = true;
    private long bytes;
    private long throttleMillis;

    private static final class Position {
        private static final long UNKNOWN = -1;

        final ObservedTopic topic;
        final TopicName name;
        final int partition;
        int leader;
        long next = UNKNOWN;
        long end = UNKNOWN;
        int behind;

        Position(ObservedTopic topic, TopicName name, int partition) {
            this.topic = topic;
            this.name = name;
            this.partition = partition;
        }

        /** Continues at the end of the partition, and counts the skipped offsets. */
        void skip() {
            topic.unread += Math.max(0, end - next);
            next = end;
            behind = 0;
        }
    }

    LogReader(Cluster cluster, Collection<ObservedTopic> observed, double bytesPerSecond) {
        this.access = BrokerAccess.of(cluster.clientProperties());
        this.bootstrap = new BootstrapBroker(Endpoint.list(cluster.bootstrap()), access, options, TIMEOUT);
        this.bytesPerSecond = bytesPerSecond;
        observed.forEach(topic -> topics.put(topic.name, topic));
    }

    /** A wait that the user or the end of a trial can cut short. */
    interface Pause {
        /** Waits for this time at most; returns true if the reading should end. */
        boolean ends(long nanos) throws InterruptedException;
    }

    /** Reads until the time has passed or a pause ends the reading. */
    void read(Duration length, Pause pause) throws InterruptedException {
        TimeLimit limit = MachineClock.within(length);
        Duration step = Duration.ofMillis(Math.max(1000, length.toMillis() / MOST_SAMPLES));
        TimeLimit sample = MachineClock.within(Duration.ZERO);
        boolean stopped = false;
        while (!limit.passed() && !stopped && topics.values().stream().anyMatch(topic -> !topic.vanished)) {
            if (sample.passed()) {
                sample = MachineClock.within(step);
                sample();
            } else if (outdated) {
                refresh();
            }
            fetchAll();
            long nanos = Math.max(ahead(length.minus(limit.left())), throttleMillis * 1_000_000);
            throttleMillis = 0;
            nanos = outdated ? Math.max(nanos, PAUSE_NANOS) : nanos;
            stopped = pause.ends(Math.max(0, Math.min(nanos, sample.left().toNanos())));
        }
        sample();
        finish(length.minus(limit.left()));
    }

    /** Returns the nanoseconds by which the reading is ahead of the highest rate. */
    private long ahead(Duration elapsed) {
        return (long) (bytes / bytesPerSecond * 1e9) - elapsed.toNanos();
    }

    /** Reads the rest up to the last known ends, for a short time and below the highest rate. */
    private void finish(Duration elapsed) {
        TimeLimit limit = MachineClock.within(Duration.ofSeconds(2));
        while (!limit.passed()
                && ahead(elapsed) <= 0
                && all().stream().anyMatch(position -> position.next < position.end)) {
            fetchAll();
        }
        all().forEach(Position::skip);
    }

    Map<String, Map<Integer, Long>> ends() {
        Map<String, Map<Integer, Long>> ends = new TreeMap<>();
        all().forEach(position -> ends.computeIfAbsent(position.topic.name, any -> new TreeMap<>())
                .put(position.partition, position.end));
        return ends;
    }

    private List<Position> all() {
        return positions.values().stream().flatMap(List::stream).toList();
    }

    private Map<Integer, List<Position>> byLeader() {
        Map<Integer, List<Position>> byLeader = new TreeMap<>();
        for (Position position : all()) {
            if (brokers.containsKey(position.leader)) {
                byLeader.computeIfAbsent(position.leader, any -> new ArrayList<>())
                        .add(position);
            }
        }
        return byLeader;
    }

    private void refresh() {
        Set<String> names = new LinkedHashSet<>();
        topics.values().stream().filter(topic -> !topic.vanished).forEach(topic -> names.add(topic.name));
        if (names.isEmpty()) {
            return;
        }
        try {
            Metadata metadata = bootstrap.ask((call, limit) -> call.metadata(names, limit));
            brokers = metadata.brokers();
            bootstrap.know(brokers.values());
            metadata.topics().forEach(this::refresh);
            answered = MachineClock.within(SILENCE);
            outdated = false;
        } catch (IOException e) {
            silent(e);
        }
    }

    private void refresh(Metadata.Topic found) {
        @Nullable ObservedTopic topic = topics.get(found.name());
        if (topic == null) {
            return;
        }
        if (!found.fault().none()) {
            if (!found.fault().retriable() || found.fault().is(Errors.UNKNOWN_TOPIC_OR_PARTITION)) {
                drop(topic, found.fault());
            }
            return;
        }
        List<Position> known = positions.computeIfAbsent(topic.name, any -> new ArrayList<>());
        if (!known.isEmpty() && !known.get(0).name.id().equals(found.id())) {
            topic.remark("the topic was deleted and created again during the observation");
            known.clear();
        }
        TopicName name = known.isEmpty() ? new TopicName(topic.name, found.id()) : known.get(0).name;
        for (int i = 0; i < found.partitions().size(); i++) {
            if (i == known.size()) {
                known.add(new Position(topic, name, i));
            }
            known.get(i).leader = found.partitions().get(i).leader();
        }
        topic.partitionRecords =
                Arrays.copyOf(topic.partitionRecords, Math.max(topic.partitionRecords.length, known.size()));
    }

    private void drop(ObservedTopic topic, BrokerError fault) {
        boolean gone = fault.is(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        topic.vanished = true;
        topic.remark(
                gone
                        ? "the topic was deleted during the observation"
                        : "Weir cannot read the topic: " + fault.message());
        positions.remove(topic.name);
    }

    private void silent(IOException e) {
        outdated = true;
        if (answered.passed()) {
            throw new ClusterUnavailable("no broker answered for " + SILENCE.toSeconds() + " s: " + e.getMessage(), e);
        }
    }

    private void sample() {
        if (outdated) {
            refresh();
        }
        long millis = MachineClock.WALL.millis();
        Map<String, Long> grown = new HashMap<>();
        byLeader().forEach((broker, led) -> {
            List<Call.TopicPartitionName> names = led.stream()
                    .map(position -> new Call.TopicPartitionName(position.topic.name, position.partition))
                    .toList();
            ask(broker, call -> {
                Map<Call.TopicPartitionName, Call.Offset> ends = call.offsets(names, Call.Place.END, false, TIMEOUT);
                for (int i = 0; i < names.size(); i++) {
                    Call.Offset end = ends.get(names.get(i));
                    if (end != null && end.fault().none()) {
                        grown.merge(led.get(i).topic.name, sampled(led.get(i), end.offset()), Long::sum);
                    } else if (end != null) {
                        failed(led.get(i), end.fault());
                    }
                }
            });
        });
        topics.values().forEach(topic -> topic.ends(millis, grown.getOrDefault(topic.name, 0L)));
    }

    private static long sampled(Position position, long end) {
        long before = position.end;
        position.end = Math.max(before, end);
        if (position.next == Position.UNKNOWN) {
            position.next = end;
            return 0;
        }
        position.behind = position.next < before ? position.behind + 1 : 0;
        if (position.behind >= MOST_BEHIND_SAMPLES) {
            position.skip();
        }
        return position.end - before;
    }

    private void failed(Position position, BrokerError fault) {
        if (fault.is(Errors.OFFSET_OUT_OF_RANGE)) {
            position.topic.remark("retention deleted records before Weir could read them");
            position.skip();
        } else if (fault.moved() || fault.retriable()) {
            outdated = true;
        } else {
            drop(position.topic, fault);
        }
    }

    private interface Question {
        void ask(Call call) throws IOException;
    }

    private void ask(int broker, Question question) {
        try {
            Call call = calls.get(broker);
            if (call == null) {
                @Nullable Endpoint at = brokers.get(broker);
                if (at == null) {
                    return;
                }
                call = Call.open(at, access, options, TIMEOUT);
                calls.put(broker, call);
            }
            question.ask(call);
            answered = MachineClock.within(SILENCE);
        } catch (IOException e) {
            Call broken = calls.remove(broker);
            if (broken != null) {
                broken.close();
            }
            silent(e);
        }
    }

    private void fetchAll() {
        Map<Integer, List<Position>> byLeader = byLeader();
        byLeader.forEach((broker, led) -> {
            List<Position> known = led.stream()
                    .filter(position -> position.next != Position.UNKNOWN && !position.topic.vanished)
                    .toList();
            if (!known.isEmpty()) {
                int wait = Math.max(20, WAIT_MILLIS / byLeader.size());
                ask(broker, call -> fetch(call, turned(known), wait));
            }
        });
    }

    /** Brokers fill an answer in the order of the request, so each request begins with another partition. */
    private List<Position> turned(List<Position> led) {
        int first = (int) (bytes % led.size());
        List<Position> turned = new ArrayList<>(led.subList(first, led.size()));
        turned.addAll(led.subList(0, first));
        return turned.subList(0, Math.min(MOST_PARTITIONS, turned.size()));
    }

    private void fetch(Call call, List<Position> wanted, int waitMillis) throws IOException {
        Map<TopicName, Map<Integer, Position>> byTopic = new HashMap<>();
        wanted.forEach(position ->
                byTopic.computeIfAbsent(position.name, any -> new TreeMap<>()).put(position.partition, position));
        boolean ids = byTopic.keySet().stream().allMatch(TopicName::hasId);
        int most = (int) Math.max(LEAST_FETCH_BYTES, Math.min(FETCH_BYTES, bytesPerSecond / 4));
        call.fetch(
                ids ? LATEST_VERSION : LATEST_VERSION_WITH_NAMES,
                (version, correlation) -> {
                    request.begin(
                            version,
                            correlation,
                            new FetchRequest.Limits(waitMillis, LEAST_FETCH_BYTES, most, false),
                            FetchRequest.NO_SESSION,
                            FetchRequest.NO_EPOCH,
                            byTopic.size());
                    byTopic.forEach((topic, partitions) -> {
                        request.topic(topic, partitions.size());
                        partitions.forEach((index, position) ->
                                request.partition(index, -1, position.next, -1, Math.min(PARTITION_BYTES, most)));
                    });
                    return request.end();
                },
                answer -> read(answer, byTopic),
                TIMEOUT);
    }

    private void read(FetchResponse answer, Map<TopicName, Map<Integer, Position>> byTopic) throws IOException {
        throttleMillis = Math.max(throttleMillis, answer.throttleMillis);
        while (answer.next()) {
            for (Map.Entry<TopicName, Map<Integer, Position>> topic : byTopic.entrySet()) {
                Position position = topic.getValue().get(answer.partitionIndex);
                if (position != null && answer.isFor(topic.getKey())) {
                    read(answer, position);
                }
            }
        }
    }

    private void read(FetchResponse answer, Position position) {
        BrokerError fault = BrokerError.of(answer.partitionError);
        if (!fault.none()) {
            failed(position, fault);
            return;
        }
        bytes += answer.recordsBytes;
        ByteBuffer in = answer.bytes();
        int first = answer.recordsAt;
        try {
            position.next = position.topic.add(
                    position.partition, in, first, first + answer.recordsBytes, position.next, cursor);
        } catch (IOException e) {
            position.topic.remark(
                    "Weir cannot read some records of partition " + position.partition + ": " + e.getMessage());
            position.end = Math.max(position.end, position.next + 1);
            position.skip();
        }
    }

    @Override
    public void close() {
        calls.values().forEach(Call::close);
        bootstrap.close();
        cursor.close();
    }
}
