package weir.cluster.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.sink.SinkRequestHandler.SinkCounters;

class SinkTest {
    private static final ByteBuffer BUFFER = ByteBuffer.allocateDirect(4 << 10);

    private final ServerSocketChannel door = open();
    private final int port = door.socket().getLocalPort();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();

    private static ServerSocketChannel open() {
        try {
            return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void serve() {
        Thread thread = new Thread(() -> {
            try {
                SinkMain.serve(door, port, log::add);
            } catch (IOException closed) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void close() throws IOException {
        door.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4"})
    void realProducerIsAnsweredWithOffsetsThatGoOn(String codec) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()));
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", address(), "compression.type", codec, "linger.ms", "50"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic("t", 2, (short) 1))).all().get();
            assertThat(admin.listTopics().names().get()).containsExactly("t");
            List<Future<RecordMetadata>> acks = IntStream.range(0, 1_000)
                    .mapToObj(i -> producer.send(new ProducerRecord<>("t", 1, null, new byte[250])))
                    .toList();
            for (int i = 0; i < acks.size(); i++) {
                assertThat(acks.get(i).get().offset()).isEqualTo(i);
            }
            TopicPartition partition = new TopicPartition("t", 1);
            assertThat(admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                            .partitionResult(partition)
                            .get()
                            .offset())
                    .isEqualTo(1_000);
            admin.deleteTopics(List.of("t")).all().get();
            assertThat(admin.listTopics().names().get()).isEmpty();
        }
    }

    @Test
    void clientRefusesRequestsThatTheSinkDoesNotSupport() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address()))) {
            Future<?> groups = admin.listGroups().all();
            assertThat(failure(groups)).hasMessageContaining("LIST_GROUPS");
        }
    }

    private static Throwable failure(Future<?> future) {
        try {
            future.get();
            throw new AssertionError("it was answered");
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Short> versions() {
        return ApiKeys.PRODUCE.allVersions();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void everyVersionIsReadAndAnswered(short version) throws IOException {
        SinkCounters counters = new SinkCounters();
        assertThat(counters.create("t", 3)).isTrue();
        topic(counters).ends().get(2).set(70);
        Uuid id = topic(counters).id();
        ProduceResponseData answer = produce(counters, version, request(version, "t", id, 2, 5), 9);
        ProduceResponseData.TopicProduceResponse topic =
                answer.responses().iterator().next();
        assertThat(version >= 13 ? topic.topicId() : topic.name()).isEqualTo(version >= 13 ? id : "t");
        assertThat(topic.partitionResponses()).singleElement().satisfies(partition -> {
            assertThat(partition.index()).isEqualTo(2);
            assertThat(partition.errorCode()).isZero();
            assertThat(partition.baseOffset()).isEqualTo(70);
        });
        assertThat(topic(counters).ends().get(2)).hasValue(75);
    }

    @Test
    void unknownTopicsAndPartitionsAreRefused() throws IOException {
        SinkCounters counters = new SinkCounters();
        assertThat(counters.create("t", 1)).isTrue();
        assertThat(error(produce(counters, (short) 9, request((short) 9, "u", Uuid.ZERO_UUID, 0, 1), 1)))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(produce(counters, (short) 9, request((short) 9, "t", Uuid.ZERO_UUID, 1, 1), 1)))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(error(produce(counters, (short) 13, request((short) 13, "t", Uuid.randomUuid(), 0, 1), 1)))
                .isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    }

    @Test
    void sinkAnswersNothingWithAcksZero() throws IOException {
        SinkCounters counters = new SinkCounters();
        assertThat(counters.create("t", 1)).isTrue();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProduceRequestData request =
                request((short) 9, "t", Uuid.ZERO_UUID, 0, 4).setAcks((short) 0);
        assertThat(answer(counters, (short) 9, body(request, (short) 9), 1, out))
                .isZero();
        assertThat(out.size()).isZero();
        assertThat(topic(counters).ends().get(0)).hasValue(4);
    }

    /** Every input ends with an answer or an exception. No length in the input makes the server allocate memory. */
    @Test
    void hostileBytesEndTheConversationOnly() throws IOException {
        Random random = new Random(1);
        SinkCounters counters = new SinkCounters();
        assertThat(counters.create("t", 1)).isTrue();
        byte[] sound = body(request((short) 9, "t", Uuid.ZERO_UUID, 0, 5), (short) 9);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = sound.clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                bytes[random.nextInt(Math.min(bytes.length, 90))] = (byte) random.nextInt();
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try {
                assertThat(answer(counters, (short) 9, bytes, 1, out)).isNotNegative();
            } catch (IOException told) {
                assertThat(told).hasMessageMatching(".*(bytes|longer|ended|topics|number).*");
            }
            assertThat(out.size()).isLessThan(4 << 20);
        }
    }

    @Test
    void connectionWithNonsenseIsClosedAndItsReasonLogged() throws Exception {
        Map<String, byte[]> nonsense = Map.of(
                "the connection ended within a request",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
                "a request of -1 bytes",
                new byte[] {-1, -1, -1, -1},
                "request 1 in version 0 is not supported by the null target",
                new byte[] {0, 0, 0, 10, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0});
        for (Map.Entry<String, byte[]> each : nonsense.entrySet()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(each.getValue());
                socket.shutdownOutput();
                assertThat(socket.getInputStream().readAllBytes()).isEmpty();
            }
            assertThat(log.poll(20, TimeUnit.SECONDS)).endsWith(each.getKey());
        }
    }

    @Test
    void newerQuestionForVersionsIsAnsweredInTheOldestOne() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(10);
            out.writeShort(ApiKeys.API_VERSIONS.id);
            out.writeShort(99);
            out.writeInt(7);
            out.writeShort(-1);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readInt()).isGreaterThan(10);
            assertThat(in.readInt()).isEqualTo(7);
            assertThat(in.readShort()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        }
    }

    private static SinkCounters.Topic topic(SinkCounters counters) {
        return Objects.requireNonNull(counters.named("t"));
    }

    private String address() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
    }

    private static Errors error(ProduceResponseData answer) {
        return Errors.forCode(
                answer.responses().iterator().next().partitionResponses().get(0).errorCode());
    }

    private static ProduceRequestData request(short version, String name, Uuid id, int partition, int count) {
        SimpleRecord[] records = IntStream.range(0, count)
                .mapToObj(i -> new SimpleRecord(new byte[40]))
                .toArray(SimpleRecord[]::new);
        ProduceRequestData.TopicProduceData topic = new ProduceRequestData.TopicProduceData();
        if (version >= 13) {
            topic.setTopicId(id);
        } else {
            topic.setName(name);
        }
        topic.partitionData()
                .add(new ProduceRequestData.PartitionProduceData()
                        .setIndex(partition)
                        .setRecords(MemoryRecords.withRecords(Compression.NONE, records)));
        ProduceRequestData request = new ProduceRequestData().setAcks((short) -1);
        request.topicData().add(topic);
        return request;
    }

    private static byte[] body(ProduceRequestData request, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(request.size(cache, version) + 10_000);
        request.write(new ByteBufferAccessor(buffer), cache, version);
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static ProduceResponseData produce(
            SinkCounters counters, short version, ProduceRequestData request, int correlation) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(answer(counters, version, body(request, version), correlation, out))
                .isZero();
        ByteBuffer answer = ByteBuffer.wrap(out.toByteArray());
        assertThat(answer.getInt()).isEqualTo(answer.remaining());
        assertThat(answer.getInt()).isEqualTo(correlation);
        if (ApiKeys.PRODUCE.responseHeaderVersion(version) >= 1) {
            assertThat(answer.get()).isZero();
        }
        ProduceResponseData read = new ProduceResponseData(new ByteBufferAccessor(answer), version);
        assertThat(answer.hasRemaining()).isFalse();
        return read;
    }

    /** Returns the number of unread bytes of the request. */
    private static long answer(
            SinkCounters counters, short version, byte[] body, int correlation, ByteArrayOutputStream out)
            throws IOException {
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        new DataOutputStream(framed).writeInt(body.length);
        framed.write(body);
        ReplyBuffer replies = new ReplyBuffer(Channels.newChannel(out));
        // A few bytes at a time, so that every read of a number and every answer is interrupted somewhere.
        InputStream dribbling = new ByteArrayInputStream(framed.toByteArray()) {
            @Override
            public synchronized int read(byte[] into, int at, int most) {
                return super.read(into, at, Math.min(3, most));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
        SinkRequestReader intake = new SinkRequestReader(Channels.newChannel(dribbling), replies::flush, BUFFER);
        assertThat(intake.next()).isTrue();
        new ProduceHandler(intake, replies, counters).answer(version, correlation);
        replies.flush();
        return intake.left();
    }
}
