package weir.load.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.wire.Api;
import weir.wire.Endpoint;
import weir.wire.FakeBroker;

/** Brokers with one topic. They lead its partitions, store records and answer as the test decides. */
final class FakeBrokers implements AutoCloseable {
    static final String TOPIC = "t";
    private static final int WAIT_MILLIS = 20;

    private final List<FakeBroker> brokers = new ArrayList<>();
    private int[] leaders;
    private int[] epochs;
    private boolean deleted;
    private Uuid topicId;
    private volatile int silent = -1;
    /** The numbering of messages without an identity. */
    ProducerSequences sequences = new ProducerSequences(RecordAudience.ANYONE);
    /** Number of messages without an identity. */
    long unnamed;

    private final Conduct conduct;
    /** The next number of each producer's epoch in each partition. */
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    private final Map<String, Short> producerEpochs = new ConcurrentHashMap<>();
    private final List<Integer> sizes = new ArrayList<>();
    /** The maximum number of records; a batch with more is too large. */
    volatile int mostRecords = Integer.MAX_VALUE;

    private final Map<Integer, Integer> attempts = new ConcurrentHashMap<>();
    private final List<Log> logs = new ArrayList<>();
    private final Map<Integer, Known> sessions = new HashMap<>();
    private final boolean byName;
    private int nextSession = 100;
    private volatile Consumer<FetchResponseData> change = data -> {};
    /** The id with which requests name the topic. */
    private Uuid called;

    final List<FetchRequestData> asked = new CopyOnWriteArrayList<>();

    /** The reaction of a broker to a batch. */
    interface Conduct {
        /** {@code attempt} counts the batches that arrived for this partition, from 1. */
        Deed on(int broker, int partition, int attempt);
    }

    /** The broker stores the batch or not, and answers, closes the connection, or stays silent (throttle -1). */
    record Deed(boolean keeps, Errors says, boolean hangsUp, int throttleMillis) {
        static final Deed WELL = new Deed(true, Errors.NONE, false, 0);
        static final Deed KEEPS_AND_HANGS_UP = new Deed(true, Errors.NONE, true, 0);
        static final Deed SAYS_NOTHING = new Deed(true, Errors.NONE, false, -1);
        static final Deed HANGS_UP = new Deed(false, Errors.NONE, true, 0);

        static Deed refuses(Errors error) {
            return new Deed(false, error, false, 0);
        }
    }

    static final class Log {
        final List<MemoryRecords> batches = new ArrayList<>();
        final List<Aborted> aborted = new ArrayList<>();
        final List<Long> written = new ArrayList<>();
        long beginning;
        long end;
        /** Number of records at the end that belong to open transactions. */
        long open;
    }

    /** An aborted transaction, from its first record to its marker. */
    record Aborted(long producerId, long first, long last) {
        FetchResponseData.AbortedTransaction told() {
            return new FetchResponseData.AbortedTransaction()
                    .setProducerId(producerId)
                    .setFirstOffset(first);
        }
    }

    /** The state of a session: the next expected epoch, and the offsets. */
    private static final class Known {
        int epoch = 1;
        final Map<Integer, Long> offsets = new TreeMap<>();
    }

    private FakeBrokers(int brokerCount, int partitions, Uuid topicId, Api api, short highest, Conduct conduct)
            throws IOException {
        this.leaders = new int[partitions];
        this.epochs = new int[partitions];
        this.topicId = topicId;
        this.called = topicId;
        this.conduct = conduct;
        // Requests by name have no ids.
        this.byName = topicId.equals(Uuid.ZERO_UUID);
        for (int i = 0; i < partitions; i++) {
            know(i, i % brokerCount, 1);
            logs.add(new Log());
        }
        for (int i = 0; i < brokerCount; i++) {
            int id = i;
            brokers.add(new FakeBroker((asked, out) -> answer(id, asked, out, api, highest)));
        }
    }

    /** Starts two brokers that store records and support produce requests up to this version; the first one leads. */
    static FakeBrokers writable(int partitions, short version, Conduct conduct) throws IOException {
        FakeBrokers brokers = new FakeBrokers(2, partitions, new Uuid(4, 2), Api.PRODUCE, version, conduct);
        for (int partition = 0; partition < partitions; partition++) {
            brokers.lead(partition, 0);
        }
        return brokers;
    }

    /** Starts brokers that lead in turn and support fetch requests up to this version. */
    static FakeBrokers readable(int brokerCount, int partitions, short version) throws IOException {
        Uuid topicId = version < 13 ? Uuid.ZERO_UUID : new Uuid(5, 6);
        return new FakeBrokers(brokerCount, partitions, topicId, Api.FETCH, version, (b, p, attempt) -> Deed.WELL);
    }

    private void answer(int broker, FakeBroker.Asked asked, OutputStream out, Api api, short highest)
            throws IOException {
        if (broker == silent) {
            return;
        }
        ByteBufferAccessor body = new ByteBufferAccessor(asked.body());
        ApiMessage message = switch (asked.api()) {
            case API_VERSIONS -> FakeBroker.versions(api, highest);
            case METADATA -> metadata();
            case PRODUCE -> produced(broker, new ProduceRequestData(body, asked.version()), out);
            case LIST_OFFSETS -> offsets(new ListOffsetsRequestData(body, asked.version()), broker);
            case FETCH -> fetch(new FetchRequestData(body, asked.version()), broker);
            default -> throw new IOException("no answer is known to " + asked.api());
        };
        if (message != null) {
            out.write(asked.answer(message));
        }
    }

    List<Endpoint> bootstrap() {
        return brokers.stream().map(FakeBroker::at).toList();
    }

    synchronized void know(int partition, int leader, int epoch) {
        leaders[partition] = leader;
        epochs[partition] = epoch;
    }

    synchronized void lead(int partition, int broker) {
        know(partition, broker, epochs[partition] + 1);
    }

    final synchronized int leader(int partition) {
        return leaders[partition];
    }

    /** Adds a partition, which the first broker leads. */
    synchronized void addPartition() {
        int partition = leaders.length;
        leaders = Arrays.copyOf(leaders, partition + 1);
        epochs = Arrays.copyOf(epochs, partition + 1);
        know(partition, 0, 1);
    }

    synchronized void deleteTopic() {
        deleted = true;
    }

    /** Deletes the topic and makes it again under the same name. */
    synchronized void makeTopicAgain() {
        topicId = new Uuid(7, 8);
    }

    final synchronized Uuid topicId() {
        return topicId;
    }

    private synchronized MetadataResponseData metadata() {
        MetadataResponseData metadata = new MetadataResponseData();
        for (int i = 0; i < brokers.size(); i++) {
            Endpoint at = brokers.get(i).at();
            metadata.brokers()
                    .add(new MetadataResponseData.MetadataResponseBroker()
                            .setNodeId(i)
                            .setHost(at.host())
                            .setPort(at.port()));
        }
        MetadataResponseData.MetadataResponseTopic topic =
                new MetadataResponseData.MetadataResponseTopic().setName(TOPIC).setTopicId(topicId);
        for (int i = 0; i < leaders.length; i++) {
            topic.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition()
                            .setPartitionIndex(i)
                            .setLeaderId(leaders[i])
                            .setLeaderEpoch(epochs[i]));
        }
        if (deleted) {
            topic = new MetadataResponseData.MetadataResponseTopic()
                    .setName(TOPIC)
                    .setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        metadata.topics().add(topic);
        return metadata;
    }

    /** The broker accepts connections and requests, and answers nothing more. */
    void silence(int broker) {
        silent = broker;
    }

    void hangUp() {
        brokers.forEach(FakeBroker::hangUp);
    }

    /** Waits until all clients have closed their connections. */
    void awaitNoConnection() throws InterruptedException {
        for (FakeBroker broker : brokers) {
            broker.awaitNoConnection();
        }
    }

    @Override
    public void close() {
        brokers.forEach(FakeBroker::close);
    }

    /** Returns the sequence numbers of the messages in log order. */
    synchronized List<Long> written(int partition) {
        return List.copyOf(log(partition).written);
    }

    /** Returns the number of batches in each request. */
    synchronized List<Integer> sizes() {
        return List.copyOf(sizes);
    }

    private synchronized @Nullable ApiMessage produced(int broker, ProduceRequestData request, OutputStream out)
            throws IOException {
        ProduceResponseData answer = new ProduceResponseData();
        boolean hangsUp = false;
        boolean silent = false;
        int batches = 0;
        for (ProduceRequestData.TopicProduceData of : request.topicData()) {
            ProduceResponseData.TopicProduceResponse told = new ProduceResponseData.TopicProduceResponse()
                    .setName(of.name())
                    .setTopicId(of.topicId());
            for (ProduceRequestData.PartitionProduceData one : of.partitionData()) {
                int partition = one.index();
                batches++;
                Deed deed = conduct.on(broker, partition, attempts.merge(partition, 1, Integer::sum));
                if (leader(partition) != broker) {
                    deed = Deed.refuses(Errors.NOT_LEADER_OR_FOLLOWER);
                }
                long base = log(partition).written.size();
                RecordBatch batch =
                        ((MemoryRecords) one.records()).batches().iterator().next();
                batch.ensureValid();
                if (batch.countOrNull() > mostRecords) {
                    deed = Deed.refuses(Errors.MESSAGE_TOO_LARGE);
                }
                Errors error = deed.says;
                if (deed.keeps) {
                    Errors kept = keep(partition, batch);
                    error = error == Errors.NONE ? kept : error;
                }
                hangsUp |= deed.hangsUp;
                silent |= deed.throttleMillis < 0;
                answer.setThrottleTimeMs(Math.max(answer.throttleTimeMs(), deed.throttleMillis));
                told.partitionResponses()
                        .add(new ProduceResponseData.PartitionProduceResponse()
                                .setIndex(partition)
                                .setErrorCode(error.code())
                                .setBaseOffset(error == Errors.NONE ? base : -1));
            }
            answer.responses().add(told);
        }
        sizes.add(batches);
        if (hangsUp) {
            out.close();
        }
        return hangsUp || silent || request.acks() == 0 ? null : answer;
    }

    private long named(int partition, RecordBatch batch, int place) {
        SequenceNumbers.Found found = new SequenceNumbers.Found();
        SequenceNumbers known = Objects.requireNonNull(sequences.find(batch.producerId(), partition));
        if (!known.find(batch.producerEpoch(), batch.baseSequence(), found)) {
            throw new AssertionError("nobody knows number " + batch.baseSequence());
        }
        return found.message(place);
    }

    /** Checks the numbers of an idempotent producer, as a broker does. */
    private Errors keep(int partition, RecordBatch batch) {
        if (batch.hasProducerId()) {
            String who = partition + ":" + batch.producerId();
            short epoch = producerEpochs.getOrDefault(who, (short) -1);
            int next = numbers.getOrDefault(who, 0);
            if (batch.producerEpoch() > epoch) {
                if (batch.baseSequence() != 0) {
                    return Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
                }
            } else if (batch.producerEpoch() < epoch) {
                return Errors.INVALID_PRODUCER_EPOCH;
            } else if (batch.baseSequence() < next) {
                return Errors.DUPLICATE_SEQUENCE_NUMBER;
            } else if (batch.baseSequence() > next) {
                return Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
            }
            producerEpochs.put(who, batch.producerEpoch());
            numbers.put(who, batch.lastSequence() + 1);
        }
        int place = 0;
        for (Record record : batch) {
            byte[] value = new byte[record.valueSize()];
            record.value().get(value);
            long sequence = Identity.sequence(value);
            log(partition).written.add(sequence < 0 ? named(partition, batch, place) : sequence);
            unnamed += sequence < 0 ? 1 : 0;
            place++;
        }
        return Errors.NONE;
    }

    synchronized Log log(int partition) {
        return logs.get(partition);
    }

    synchronized void append(int partition, MemoryRecords batch, int offsets) {
        log(partition).batches.add(batch);
        log(partition).end += offsets;
        notifyAll();
    }

    synchronized void forgetSessions() {
        sessions.clear();
    }

    /** Changes every answer before it leaves. */
    void change(Consumer<FetchResponseData> how) {
        change = how;
    }

    private synchronized ListOffsetsResponseData offsets(ListOffsetsRequestData request, int broker) {
        ListOffsetsResponseData answer = new ListOffsetsResponseData();
        boolean committed = request.isolationLevel() == IsolationLevel.READ_COMMITTED.id();
        for (ListOffsetsRequestData.ListOffsetsTopic topic : request.topics()) {
            ListOffsetsResponseData.ListOffsetsTopicResponse told =
                    new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsRequestData.ListOffsetsPartition one : topic.partitions()) {
                Log log = log(one.partitionIndex());
                long end = log.end - (committed ? log.open : 0);
                ListOffsetsResponseData.ListOffsetsPartitionResponse partition =
                        new ListOffsetsResponseData.ListOffsetsPartitionResponse()
                                .setPartitionIndex(one.partitionIndex());
                told.partitions()
                        .add(
                                leader(one.partitionIndex()) == broker
                                        ? partition.setOffset(
                                                one.timestamp() == ListOffsetsRequest.LATEST_TIMESTAMP
                                                        ? end
                                                        : log.beginning)
                                        : partition.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code()));
            }
            answer.topics().add(told);
        }
        return answer;
    }

    private synchronized FetchResponseData fetch(FetchRequestData request, int broker) {
        asked.add(request);
        FetchResponseData answer = new FetchResponseData();
        Map<Integer, Long> offsets = offsets(request, answer);
        FetchResponseData.FetchableTopicResponse topic =
                new FetchResponseData.FetchableTopicResponse().setTopic(TOPIC).setTopicId(called);
        for (int tries = 0; tries < 2 && topic.partitions().isEmpty(); tries++) {
            offsets.forEach((partition, offset) -> {
                FetchResponseData.PartitionData one = partition(partition, offset, broker);
                if (MemoryRecords.EMPTY != one.records() || one.errorCode() != 0) {
                    topic.partitions().add(one);
                }
            });
            try {
                wait(topic.partitions().isEmpty() && tries == 0 ? WAIT_MILLIS : 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (!topic.partitions().isEmpty()) {
            answer.responses().add(topic);
        }
        change.accept(answer);
        return answer;
    }

    private Map<Integer, Long> offsets(FetchRequestData request, FetchResponseData answer) {
        Map<Integer, Long> named = new TreeMap<>();
        for (FetchRequestData.FetchTopic topic : request.topics()) {
            called = topic.topicId();
            boolean ours =
                    byName ? topic.topic().equals(TOPIC) : topic.topicId().equals(topicId());
            for (FetchRequestData.FetchPartition partition : topic.partitions()) {
                named.put(ours ? partition.partition() : -1, partition.fetchOffset());
            }
        }
        if (request.sessionEpoch() == -1) {
            return named;
        }
        if (request.sessionEpoch() == 0) {
            Known session = new Known();
            session.offsets.putAll(named);
            sessions.put(nextSession, session);
            answer.setSessionId(nextSession++);
            return named;
        }
        Known session = sessions.get(request.sessionId());
        if (session == null || session.epoch++ != request.sessionEpoch()) {
            answer.setErrorCode(
                    (session == null ? Errors.FETCH_SESSION_ID_NOT_FOUND : Errors.INVALID_FETCH_SESSION_EPOCH).code());
            return Map.of();
        }
        answer.setSessionId(request.sessionId());
        session.offsets.putAll(named);
        return session.offsets;
    }

    private FetchResponseData.PartitionData partition(int partition, long offset, int broker) {
        FetchResponseData.PartitionData data = new FetchResponseData.PartitionData()
                .setPartitionIndex(Math.max(0, partition))
                .setRecords(MemoryRecords.EMPTY);
        if (partition < 0) {
            return data.setErrorCode(Errors.UNKNOWN_TOPIC_ID.code());
        }
        Log log = log(partition);
        if (leader(partition) != broker) {
            return data.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code());
        }
        if (offset < log.beginning || offset > log.end) {
            return data.setErrorCode(Errors.OFFSET_OUT_OF_RANGE.code());
        }
        // Two batches in one answer; the first one may begin before the offset.
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        int batches = 0;
        for (MemoryRecords batch : log.batches) {
            if (batch.batches().iterator().next().lastOffset() >= offset && batches++ < 2) {
                bytes.put(batch.buffer().duplicate());
            }
        }
        data.setHighWatermark(log.end).setLastStableOffset(log.end).setLogStartOffset(log.beginning);
        data.setAbortedTransactions(log.aborted.stream()
                .filter(one -> one.last >= offset)
                .map(Aborted::told)
                .toList());
        return batches == 0 ? data : data.setRecords(MemoryRecords.readableRecords(bytes.flip()));
    }
}
