package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.KnownToWork;

/** Records of fetches. Weir's fetch messages equal Kafka's own, in every version. */
class RecordCursorTest {
    private static final int CODECS = 5;

    private static final TopicName[] TOPICS = {
        new TopicName("orders", new Uuid(1, 2)),
        new TopicName("a-topic-with-a-name-that-is-much-longer-than-most-of-them-are-".repeat(4), new Uuid(-3, 4))
    };

    private final SplittableRandom random = new SplittableRandom(3);
    private final Written written = new Written(random);

    @Test
    void recordsWrittenByKafkaAreRead() throws IOException {
        for (int i = 0; i < 100; i++) {
            written.batch(i % CODECS, random.nextInt(1, i % 10 == 0 ? 100 : 10));
        }
        assertThat(Written.read(written.whole())).isEqualTo(written.records);
    }

    @Test
    void aBatchThatIsCutOffIsNotThere() throws IOException {
        written.batch(0, 3);
        int whole = written.bytes.position();
        written.batch(0, 3);
        ByteBuffer all = written.whole();
        for (int length = whole; length < all.limit(); length++) {
            assertThat(Written.read(all.slice(0, length))).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void noFlippedBitBehindTheCrcIsMissed(int codec) throws IOException {
        written.batch(codec, 4);
        ByteBuffer bytes = written.whole();
        for (int bit = 17 * 8; bit < bytes.limit() * 8; bit++) {
            flip(bytes, bit);
            assertThatThrownBy(() -> Written.read(bytes)).isInstanceOf(IOException.class);
            flip(bytes, bit);
        }
        assertThat(Written.read(bytes)).hasSize(4);
    }

    private static void flip(ByteBuffer bytes, int bit) {
        bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
    }

    @Test
    void recordAboveTheLimitIsRefusedButNotAboveTheWindow() throws IOException {
        byte[] value = new byte[900_000];
        random.nextBytes(value);
        for (Compression codec : new Compression[] {
            Compression.gzip().build(),
            Compression.snappy().build(),
            Compression.lz4().build(),
            Compression.zstd().build()
        }) {
            MemoryRecords records = MemoryRecords.withRecords(
                    codec, new SimpleRecord(new byte[10]), new SimpleRecord(value), new SimpleRecord(new byte[20]));
            assertThat(Written.read(records.buffer()).stream().map(Written.One::size))
                    .containsExactly(10, 900_000, 20);
            Batches batches = new Batches();
            batches.begin(records.buffer(), 0, records.sizeInBytes());
            assertThat(batches.next()).isTrue();
            try (RecordCursor small = new RecordCursor(Written.HEADER, 100_000)) {
                small.begin(batches);
                assertThat(small.next()).isTrue();
                assertThatThrownBy(small::next)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("at most 100000 are read here");
            }
        }
    }

    @Test
    void batchHeaderIsRead() throws IOException {
        MemoryRecords records = MemoryRecords.withRecords(
                RecordBatch.CURRENT_MAGIC_VALUE,
                100,
                Compression.NONE,
                org.apache.kafka.common.record.TimestampType.CREATE_TIME,
                4711,
                (short) 3,
                Integer.MAX_VALUE,
                9,
                true,
                new SimpleRecord(new byte[5]),
                new SimpleRecord(new byte[5]));
        Batches batches = new Batches();
        batches.begin(records.buffer(), 0, records.sizeInBytes());
        assertThat(batches.next()).isTrue();
        assertThat(batches.baseOffset()).isEqualTo(100);
        assertThat(batches.nextOffset()).isEqualTo(102);
        assertThat(batches.count()).isEqualTo(2);
        assertThat(batches.size()).isEqualTo(records.sizeInBytes());
        assertThat(batches.leaderEpoch()).isEqualTo(9);
        assertThat(batches.transactional()).isTrue();
        assertThat(batches.control()).isFalse();
        assertThat(batches.producerId()).isEqualTo(4711);
        assertThat(batches.producerEpoch()).isEqualTo((short) 3);
        assertThat(batches.baseSequence()).isEqualTo(Integer.MAX_VALUE);
        assertThat(batches.next()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, none", "1, none", "0, gzip", "1, gzip", "0, snappy", "1, snappy", "0, lz4", "1, lz4"})
    @KnownToWork("records: message formats 0 and 1, from before Kafka 0.11; wire")
    void messagesOfOldFormatsAreReadWithTheirOffsetsAndBatchesBehindThemToo(byte magic, String codec)
            throws IOException {
        SimpleRecord[] some = {
            new SimpleRecord(1, new byte[3], new byte[50]),
            new SimpleRecord(2, (byte[]) null, null),
            new SimpleRecord(new byte[4])
        };
        Compression compression = Compression.of(CompressionType.forName(codec)).build();
        ByteBuffer bytes = ByteBuffer.allocate(10_000);
        bytes.put(MemoryRecords.withRecords(magic, 40, compression, some).buffer());
        bytes.put(MemoryRecords.withRecords(43, Compression.NONE, some).buffer());
        bytes.put(MemoryRecords.withRecords(magic, 46, compression, some).buffer());
        // The last record was cut off.
        bytes.flip().limit(bytes.limit() - 1);
        List<String> read = Written.read(bytes).stream()
                .map(one -> one.offset() + ":" + one.size())
                .toList();
        List<String> whole = List.of("40:53", "41:0", "42:4", "43:53", "44:0", "45:4");
        assertThat(read)
                .isEqualTo(
                        codec.equals("none")
                                ? Stream.concat(whole.stream(), Stream.of("46:53", "47:0"))
                                        .toList()
                                : whole);
    }

    @Test
    void messageOfAnOldFormatWithDamagedBytesIsRefused() {
        for (byte magic = 0; magic < 2; magic++) {
            ByteBuffer bytes = MemoryRecords.withRecords(magic, Compression.NONE, new SimpleRecord(new byte[50]))
                    .buffer();
            bytes.put(bytes.limit() - 1, (byte) 1);
            assertThatThrownBy(() -> Written.read(bytes))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("old messages");
        }
    }

    static Stream<Short> versions() {
        return IntStream.rangeClosed(Api.FETCH.lowest, Api.FETCH.highest).mapToObj(v -> (short) v);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void kafkaUnderstandsTheRequest(short version) {
        FetchRequest request = new FetchRequest(new RequestHead("reader-7"));
        for (int again = 0; again < 2; again++) {
            request.begin(version, 99, new FetchRequest.Limits(500, 1, 50 << 20, true), 17, 18, 2);
            for (TopicName topic : TOPICS) {
                request.topic(topic, 200);
                for (int partition = 0; partition < 200; partition++) {
                    request.partition(partition, 5, 1L << 40 | partition, 4, 1 << 20);
                }
            }
            ByteBuffer bytes = request.end();
            assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
            RequestHeader header = RequestHeader.parse(bytes);
            assertThat(header.apiKey()).isEqualTo(ApiKeys.FETCH);
            assertThat(header.apiVersion()).isEqualTo(version);
            assertThat(header.correlationId()).isEqualTo(99);
            assertThat(header.clientId()).isEqualTo("reader-7");
            FetchRequestData read = new FetchRequestData(new ByteBufferAccessor(bytes), version);
            assertThat(bytes.remaining()).isZero();
            assertThat(read).isEqualTo(expected(version));
        }
    }

    private static FetchRequestData expected(short version) {
        FetchRequestData expected = new FetchRequestData()
                .setMaxWaitMs(500)
                .setMinBytes(1)
                .setMaxBytes(50 << 20)
                .setIsolationLevel((byte) 1);
        if (version >= 7) {
            expected.setSessionId(17).setSessionEpoch(18);
        }
        for (TopicName topic : TOPICS) {
            List<FetchRequestData.FetchPartition> partitions = new ArrayList<>();
            for (int partition = 0; partition < 200; partition++) {
                partitions.add(new FetchRequestData.FetchPartition()
                        .setPartition(partition)
                        .setCurrentLeaderEpoch(version >= 9 ? 5 : -1)
                        .setFetchOffset(1L << 40 | partition)
                        .setLastFetchedEpoch(version >= 12 ? 4 : -1)
                        .setPartitionMaxBytes(1 << 20));
            }
            FetchRequestData.FetchTopic one = new FetchRequestData.FetchTopic().setPartitions(partitions);
            expected.topics().add(version >= 13 ? one.setTopicId(topic.id()) : one.setTopic(topic.name()));
        }
        return expected;
    }

    @ParameterizedTest
    @MethodSource("versions")
    void weUnderstandTheResponse(short version) throws IOException {
        SplittableRandom random = new SplittableRandom(version);
        Written log = new Written(random);
        log.batch(0, 5);
        FetchResponseData data = new FetchResponseData().setThrottleTimeMs(123);
        if (version >= 7) {
            data.setErrorCode((short) 71).setSessionId(55);
        }
        for (TopicName topic : TOPICS) {
            data.responses()
                    .add(new FetchResponseData.FetchableTopicResponse()
                            .setTopic(topic.name())
                            .setTopicId(topic.id())
                            .setPartitions(List.of(full(version, log), empty())));
        }
        if (version >= 16) {
            data.nodeEndpoints()
                    .add(new FetchResponseData.NodeEndpoint()
                            .setNodeId(3)
                            .setHost("elsewhere")
                            .setPort(9092));
        }
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(data, version).buffer();
        FetchResponse response = new FetchResponse();
        response.begin(bytes, version);
        assertThat(response.throttleMillis).isEqualTo(123);
        assertThat(response.error).isEqualTo((short) (version >= 7 ? 71 : 0));
        assertThat(response.sessionId).isEqualTo(version >= 7 ? 55 : 0);
        for (TopicName topic : TOPICS) {
            assertThat(response.next()).isTrue();
            assertThat(Stream.of(TOPICS).filter(response::isFor)).containsExactly(topic);
            assertThat(response.partitionIndex).isEqualTo(3);
            assertThat(response.partitionError).isEqualTo((short) 6);
            assertThat(response.divergingEnd).isEqualTo(version >= 12 ? 77 : -1);
            assertThat(response.aborted).isEqualTo(2);
            assertThat(Written.read(response.bytes().slice(response.recordsAt, response.recordsBytes)))
                    .isEqualTo(log.records);
            assertThat(response.next()).isTrue();
            assertThat(response.partitionIndex).isEqualTo(4);
            assertThat(response.partitionError).isZero();
            assertThat(response.recordsBytes).isZero();
            assertThat(response.divergingEnd).isEqualTo(-1);
        }
        assertThat(response.next()).isFalse();
    }

    private static FetchResponseData.PartitionData full(short version, Written log) {
        FetchResponseData.PartitionData full = new FetchResponseData.PartitionData()
                .setPartitionIndex(3)
                .setErrorCode((short) 6)
                .setHighWatermark(1000)
                .setLastStableOffset(900)
                .setLogStartOffset(10)
                .setAbortedTransactions(List.of(
                        new FetchResponseData.AbortedTransaction()
                                .setProducerId(1)
                                .setFirstOffset(2),
                        new FetchResponseData.AbortedTransaction()
                                .setProducerId(3)
                                .setFirstOffset(4)))
                .setRecords(MemoryRecords.readableRecords(log.whole()));
        if (version >= 12) {
            full.setDivergingEpoch(
                            new FetchResponseData.EpochEndOffset().setEpoch(2).setEndOffset(77))
                    .setCurrentLeader(new FetchResponseData.LeaderIdAndEpoch()
                            .setLeaderId(1)
                            .setLeaderEpoch(2));
        }
        return full;
    }

    @SuppressWarnings("NullAway")
    private static FetchResponseData.PartitionData empty() {
        return new FetchResponseData.PartitionData().setPartitionIndex(4).setRecords(null);
    }
}
