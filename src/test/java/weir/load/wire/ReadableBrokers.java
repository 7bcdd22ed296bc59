package weir.load.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.jspecify.annotations.Nullable;
import weir.wire.Api;
import weir.wire.FakeBroker;

/** Brokers that tell what they have in memory, fetches with sessions, and do to their answers what a test tells them to. */
final class ReadableBrokers extends FakeBrokers {
    private static final int WAIT_MILLIS = 20;

    private final List<Log> logs = new ArrayList<>();
    private final Map<Integer, Known> sessions = new HashMap<>();
    private final short fetchVersion;
    private int nextSession = 100;
    private volatile Consumer<FetchResponseData> change = data -> {};
    /** The id by which whoever asks calls the topic. */
    private Uuid called;

    /** Each request as it came. */
    final List<FetchRequestData> asked = new CopyOnWriteArrayList<>();

    /** One partition. */
    static final class Log {
        final List<MemoryRecords> batches = new ArrayList<>();
        final List<Aborted> aborted = new ArrayList<>();
        long beginning;
        long end;
        /** So many at the end belong to transactions that are open. */
        long open;
    }

    /** A transaction that came to nothing, from its first record to its mark. */
    record Aborted(long producerId, long first, long last) {
        FetchResponseData.AbortedTransaction told() {
            return new FetchResponseData.AbortedTransaction()
                    .setProducerId(producerId)
                    .setFirstOffset(first);
        }
    }

    /** The state of a session: the epoch that must come next, and the offsets. */
    private static final class Known {
        int epoch = 1;
        final Map<Integer, Long> offsets = new TreeMap<>();
    }

    ReadableBrokers(int brokerCount, int partitions, short fetchVersion) throws IOException {
        // By name, there are no ids.
        super(brokerCount, partitions, fetchVersion < 13 ? Uuid.ZERO_UUID : new Uuid(5, 6), Api.FETCH, fetchVersion);
        this.fetchVersion = fetchVersion;
        this.called = topicId();
        for (int i = 0; i < partitions; i++) {
            logs.add(new Log());
        }
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

    /** Every answer is changed like this before it leaves. */
    void change(Consumer<FetchResponseData> how) {
        change = how;
    }

    @Override
    @Nullable ApiMessage answer(int broker, FakeBroker.Asked asked, ByteBufferAccessor body, OutputStream out)
            throws IOException {
        return switch (asked.api()) {
            case LIST_OFFSETS -> offsets(new ListOffsetsRequestData(body, asked.version()), broker);
            case FETCH -> fetch(new FetchRequestData(body, asked.version()), broker);
            default -> throw new IOException("nobody taught me " + asked.api());
        };
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
            boolean ours = fetchVersion < 13
                    ? topic.topic().equals(TOPIC)
                    : topic.topicId().equals(topicId());
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
        // Two batches in one answer, the first of which may begin before the offset.
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
