package weir.load.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import weir.load.message.Identity;
import weir.wire.Api;
import weir.wire.Endpoint;

/** Two brokers that keep what they are sent, number by number as brokers do, unless their test says otherwise. */
final class PretendedCluster implements AutoCloseable {
    static final String TOPIC = "t";

    /** Where messages are known that do not say who they are. */
    ProducerSequences numberings = new ProducerSequences(RecordAudience.ANYONE);

    /** Messages that did not say it. */
    long unnamed;

    private final List<ServerSocket> doors = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final short produceVersion;
    private final int partitions;
    private final Conduct conduct;
    private final AtomicIntegerArray leaders;
    private final List<List<Long>> logs = new ArrayList<>();
    /** The next number of each producer's epoch in each partition. */
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    private final Map<String, Short> epochs = new ConcurrentHashMap<>();
    private final List<Integer> sizes = new ArrayList<>();
    private volatile Uuid topic = new Uuid(4, 2);
    /** A batch of more records than this is too large. */
    volatile int mostRecords = Integer.MAX_VALUE;

    /** A broker's way with a batch. */
    interface Conduct {
        /** {@code attempt} counts the batches that came to this partition, from 1. */
        Deed on(int broker, int partition, int attempt);
    }

    /** It keeps the batch or not, and says this about it: or nothing, and hangs up; or just nothing, when it throttles by -1. */
    record Deed(boolean keeps, Errors says, boolean hangsUp, int throttleMillis) {
        static final Deed WELL = new Deed(true, Errors.NONE, false, 0);
        static final Deed KEEPS_AND_HANGS_UP = new Deed(true, Errors.NONE, true, 0);
        static final Deed SAYS_NOTHING = new Deed(true, Errors.NONE, false, -1);
        static final Deed HANGS_UP = new Deed(false, Errors.NONE, true, 0);

        static Deed refuses(Errors error) {
            return new Deed(false, error, false, 0);
        }
    }

    private final Map<Integer, Integer> attempts = new ConcurrentHashMap<>();

    PretendedCluster(int partitions, short produceVersion, Conduct conduct) throws IOException {
        this.partitions = partitions;
        this.leaders = new AtomicIntegerArray(partitions);
        this.produceVersion = produceVersion;
        this.conduct = conduct;
        for (int partition = 0; partition < partitions; partition++) {
            logs.add(new ArrayList<>());
        }
        for (int broker = 0; broker < 2; broker++) {
            ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            doors.add(door);
            int number = broker;
            start(() -> accept(number, door));
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "pretended-broker");
        thread.setDaemon(true);
        thread.start();
    }

    Endpoint bootstrap() {
        return at(1);
    }

    private Endpoint at(int broker) {
        return new Endpoint("127.0.0.1", doors.get(broker).getLocalPort());
    }

    void lead(int partition, int broker) {
        leaders.set(partition, broker);
    }

    void makeTopicAgain() {
        topic = new Uuid(4, 3);
    }

    /** The sequence numbers of the messages in the order in which they stand there. */
    synchronized List<Long> log(int partition) {
        return List.copyOf(logs.get(partition));
    }

    /** How many batches each request had. */
    synchronized List<Integer> sizes() {
        return List.copyOf(sizes);
    }

    private void accept(int broker, ServerSocket door) {
        while (!door.isClosed()) {
            try {
                Socket socket = door.accept();
                socket.setTcpNoDelay(true);
                synchronized (this) {
                    sockets.add(socket);
                }
                start(() -> talk(broker, socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void talk(int broker, Socket socket) {
        try (socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                ByteBuffer request = ByteBuffer.wrap(bytes);
                ApiKeys api = ApiKeys.forId(request.getShort());
                short version = request.getShort();
                int correlation = request.getInt();
                request.position(request.position() + 2 + request.getShort(request.position()));
                if (api.requestHeaderVersion(version) >= 2) {
                    request.get();
                }
                ApiMessage answer = answer(broker, api, version, request);
                if (answer == NOTHING) {
                    return;
                }
                boolean silent = answer instanceof ProduceResponseData none
                        && none.responses().isEmpty();
                if (!silent) {
                    write(socket.getOutputStream(), correlation, api.responseHeaderVersion(version), answer, version);
                }
            }
        } catch (IOException over) {
            return;
        }
    }

    private static final ApiMessage NOTHING = new ApiVersionsResponseData();

    private static void write(OutputStream out, int correlation, short header, ApiMessage message, short version)
            throws IOException {
        ByteBuffer body = MessageUtil.toByteBufferAccessor(message, version).buffer();
        ByteBuffer all = ByteBuffer.allocate(8 + header + body.remaining());
        all.putInt(4 + header + body.remaining()).putInt(correlation);
        if (header > 0) {
            all.put((byte) 0);
        }
        out.write(all.put(body).array());
    }

    private ApiMessage answer(int broker, ApiKeys api, short version, ByteBuffer request) {
        if (api == ApiKeys.API_VERSIONS) {
            ApiVersionsResponseData versions = new ApiVersionsResponseData();
            for (Api each : Api.values()) {
                versions.apiKeys()
                        .add(new ApiVersionsResponseData.ApiVersion()
                                .setApiKey(each.key())
                                .setMinVersion(each.lowest())
                                .setMaxVersion(each == Api.PRODUCE ? produceVersion : each.highest()));
            }
            return versions;
        }
        if (api == ApiKeys.METADATA) {
            return metadata();
        }
        return produced(broker, new ProduceRequestData(new ByteBufferAccessor(request), version));
    }

    private MetadataResponseData metadata() {
        MetadataResponseData all = new MetadataResponseData();
        for (int broker = 0; broker < 2; broker++) {
            all.brokers()
                    .add(new MetadataResponseData.MetadataResponseBroker()
                            .setNodeId(broker)
                            .setHost(at(broker).host())
                            .setPort(at(broker).port()));
        }
        MetadataResponseData.MetadataResponseTopic only =
                new MetadataResponseData.MetadataResponseTopic().setName(TOPIC).setTopicId(topic);
        for (int partition = 0; partition < partitions; partition++) {
            only.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition()
                            .setPartitionIndex(partition)
                            .setLeaderId(leaders.get(partition)));
        }
        all.topics().add(only);
        return all;
    }

    private synchronized ApiMessage produced(int broker, ProduceRequestData request) {
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
                if (leaders.get(partition) != broker) {
                    deed = Deed.refuses(Errors.NOT_LEADER_OR_FOLLOWER);
                }
                long base = logs.get(partition).size();
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
            return NOTHING;
        }
        return silent || request.acks() == 0 ? new ProduceResponseData() : answer;
    }

    private long named(int partition, RecordBatch batch, int place) {
        SequenceNumbers.Found found = new SequenceNumbers.Found();
        SequenceNumbers known = Objects.requireNonNull(numberings.find(batch.producerId(), partition));
        if (!known.find(batch.producerEpoch(), batch.baseSequence(), found)) {
            throw new AssertionError("nobody knows number " + batch.baseSequence());
        }
        return found.message(place);
    }

    /** As a broker looks after the numbers of an idempotent producer. */
    private Errors keep(int partition, RecordBatch batch) {
        if (batch.hasProducerId()) {
            String who = partition + ":" + batch.producerId();
            short epoch = epochs.getOrDefault(who, (short) -1);
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
            epochs.put(who, batch.producerEpoch());
            numbers.put(who, batch.lastSequence() + 1);
        }
        int place = 0;
        for (Record record : batch) {
            byte[] value = new byte[record.valueSize()];
            record.value().get(value);
            long sequence = Identity.sequence(value);
            logs.get(partition).add(sequence < 0 ? named(partition, batch, place) : sequence);
            unnamed += sequence < 0 ? 1 : 0;
            place++;
        }
        return Errors.NONE;
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket door : doors) {
            door.close();
        }
        synchronized (this) {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
