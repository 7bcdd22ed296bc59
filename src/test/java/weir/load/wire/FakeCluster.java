package weir.load.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.RequestHeader;
import weir.wire.Endpoint;

/** Brokers that tell what they have in memory, fetches with sessions, and do to their answers what a test tells them to. */
final class FakeCluster implements AutoCloseable {
    private static final int WAIT_MILLIS = 20;

    private final List<ServerSocket> brokers = new ArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Log> logs = new ArrayList<>();
    private final Map<Integer, Known> sessions = new HashMap<>();
    private final short fetchVersion;
    private volatile int silent = -1;
    private int nextSession = 100;
    private volatile Consumer<FetchResponseData> change = data -> {};
    private Uuid topicId;
    /** The id by which whoever asks calls the topic. */
    private Uuid called;

    /** Each request as it came. */
    final List<FetchRequestData> asked = new CopyOnWriteArrayList<>();

    /** One partition. */
    static final class Log {
        final List<MemoryRecords> batches = new ArrayList<>();
        final List<Aborted> aborted = new ArrayList<>();
        int leader;
        int epoch = 1;
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

    FakeCluster(int brokerCount, int partitions, short fetchVersion) throws IOException {
        this.fetchVersion = fetchVersion;
        // By name, there are no ids.
        this.topicId = fetchVersion < 13 ? Uuid.ZERO_UUID : new Uuid(5, 6);
        this.called = topicId;
        for (int i = 0; i < partitions; i++) {
            Log log = new Log();
            log.leader = i % brokerCount;
            logs.add(log);
        }
        for (int i = 0; i < brokerCount; i++) {
            ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            brokers.add(server);
            int id = i;
            start(() -> accept(server, id));
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-broker");
        thread.setDaemon(true);
        thread.start();
    }

    List<Endpoint> bootstrap() {
        return brokers.stream().map(FakeCluster::at).toList();
    }

    private static Endpoint at(ServerSocket server) {
        return new Endpoint("localhost", server.getLocalPort());
    }

    synchronized Log log(int partition) {
        return logs.get(partition);
    }

    synchronized void append(int partition, MemoryRecords batch, int offsets) {
        log(partition).batches.add(batch);
        log(partition).end += offsets;
        notifyAll();
    }

    synchronized void lead(int partition, int broker) {
        log(partition).leader = broker;
        log(partition).epoch++;
    }

    synchronized void know(int partition, int leader, int epoch) {
        log(partition).leader = leader;
        log(partition).epoch = epoch;
    }

    synchronized void makeAgain() {
        topicId = new Uuid(7, 8);
    }

    synchronized void forgetSessions() {
        sessions.clear();
    }

    /** It takes connections and requests, and says nothing more. */
    void silence(int broker) {
        silent = broker;
    }

    /** Every answer is changed like this before it leaves. */
    void change(Consumer<FetchResponseData> how) {
        change = how;
    }

    void cut() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void accept(ServerSocket server, int broker) {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                start(() -> serve(socket, broker));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket, int broker) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                byte[] request = new byte[in.readInt()];
                in.readFully(request);
                ByteBuffer bytes = ByteBuffer.wrap(request);
                RequestHeader header = RequestHeader.parse(bytes);
                if (broker == silent) {
                    continue;
                }
                ByteBufferAccessor body = new ByteBufferAccessor(bytes);
                answer(header, body, broker, socket.getOutputStream());
            }
        } catch (IOException ended) {
            gone(socket);
        }
    }

    private synchronized void gone(Socket socket) {
        sockets.remove(socket);
        notifyAll();
    }

    /** Waits until everybody has hung up. */
    synchronized void awaitNoConnection() throws InterruptedException {
        while (!sockets.isEmpty()) {
            wait();
        }
    }

    private void answer(RequestHeader header, ByteBufferAccessor body, int broker, OutputStream out)
            throws IOException {
        short version = header.apiVersion();
        ApiMessage message = switch (header.apiKey()) {
            case API_VERSIONS -> versions();
            case METADATA -> metadata();
            case LIST_OFFSETS -> offsets(new ListOffsetsRequestData(body, version), broker);
            case FETCH -> fetch(new FetchRequestData(body, version), broker);
            default -> throw new IOException("nobody taught me " + header.apiKey());
        };
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(message, version).buffer();
        int tags = header.apiKey().responseHeaderVersion(version) > 0 ? 1 : 0;
        ByteBuffer whole = ByteBuffer.allocate(8 + tags + bytes.remaining());
        whole.putInt(whole.capacity() - 4).putInt(header.correlationId());
        whole.position(8 + tags);
        out.write(whole.put(bytes).array());
    }

    private ApiVersionsResponseData versions() {
        ApiVersionsResponseData versions = new ApiVersionsResponseData();
        for (ApiKeys api : List.of(ApiKeys.API_VERSIONS, ApiKeys.METADATA, ApiKeys.LIST_OFFSETS, ApiKeys.FETCH)) {
            short highest = api == ApiKeys.FETCH ? fetchVersion : api.latestVersion();
            versions.apiKeys()
                    .add(new ApiVersionsResponseData.ApiVersion()
                            .setApiKey(api.id)
                            .setMinVersion(api.oldestVersion())
                            .setMaxVersion(highest));
        }
        return versions;
    }

    private synchronized MetadataResponseData metadata() {
        MetadataResponseData metadata = new MetadataResponseData();
        for (int i = 0; i < brokers.size(); i++) {
            metadata.brokers()
                    .add(new MetadataResponseData.MetadataResponseBroker()
                            .setNodeId(i)
                            .setHost("localhost")
                            .setPort(brokers.get(i).getLocalPort()));
        }
        MetadataResponseData.MetadataResponseTopic topic =
                new MetadataResponseData.MetadataResponseTopic().setName("t").setTopicId(topicId);
        for (int i = 0; i < logs.size(); i++) {
            topic.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition()
                            .setPartitionIndex(i)
                            .setLeaderId(log(i).leader)
                            .setLeaderEpoch(log(i).epoch));
        }
        metadata.topics().add(topic);
        return metadata;
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
                                log.leader == broker
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
                new FetchResponseData.FetchableTopicResponse().setTopic("t").setTopicId(called);
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
                    ? topic.topic().equals("t")
                    : topic.topicId().equals(topicId);
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
        if (log.leader != broker) {
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

    @Override
    public void close() {
        try {
            for (ServerSocket server : brokers) {
                server.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        cut();
    }
}
