package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProduceRequestTest {
    private static final int FUZZ = 100_000;

    private final TopicName one = new TopicName("one", new TopicId(11, 12));
    private final TopicName other = new TopicName("öther", new TopicId(21, 22));

    private static ByteBuffer joined(ByteBuffer[] parts, int count) {
        ByteBuffer all = ByteBuffer.allocate(1 << 16);
        for (int i = 0; i < count; i++) {
            all.put(parts[i].duplicate());
        }
        return all.flip();
    }

    @ParameterizedTest
    @ValueSource(shorts = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    void kafkaReadsARequestOfEveryVersion(short version) {
        ProduceRequest request = new ProduceRequest("weir-7", version, (short) -1, 30_000);
        for (int batches = 1; batches <= 5; batches++) {
            request.clear();
            for (int i = 0; i < batches; i++) {
                request.add(i < 2 ? one : other, i, ByteBuffer.wrap(new byte[100 * i + 61]));
            }
            request.seal(40 + batches);
            ByteBuffer all = joined(request.parts(), request.count());
            assertThat(all.remaining()).isEqualTo(request.bytes());
            assertThat(all.getInt()).isEqualTo(all.remaining());
            ByteBufferAccessor from = new ByteBufferAccessor(all);
            RequestHeaderData head = new RequestHeaderData(from, (short) (version < 9 ? 1 : 2));
            assertThat(head.correlationId()).isEqualTo(40 + batches);
            assertThat(head.requestApiVersion()).isEqualTo(version);
            assertThat(head.clientId()).isEqualTo("weir-7");
            ProduceRequestData read = new ProduceRequestData(from, version);
            assertThat(all.remaining()).isZero();
            assertThat(read.acks()).isEqualTo((short) -1);
            assertThat(read.timeoutMs()).isEqualTo(30_000);
            assertThat(read.transactionalId()).isNull();
            List<String> found = new ArrayList<>();
            read.topicData()
                    .forEach(topic -> topic.partitionData()
                            .forEach(partition -> found.add((version < 13 ? topic.name() : topic.topicId()) + "-"
                                    + partition.index() + ":" + ((MemoryRecords) partition.records()).sizeInBytes())));
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < batches; i++) {
                String name = version < 13 ? (i < 2 ? "one" : "öther") : String.valueOf(id(i < 2 ? one : other));
                expected.add(name + "-" + i + ":" + (100 * i + 61));
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    private static Uuid id(TopicName topic) {
        return new Uuid(topic.id().high(), topic.id().low());
    }

    private ProduceResponseData answer(short version) {
        ProduceResponseData data = new ProduceResponseData().setThrottleTimeMs(123);
        for (TopicName topic : List.of(one, other)) {
            ProduceResponseData.TopicProduceResponse of = new ProduceResponseData.TopicProduceResponse()
                    .setName(version < 13 ? topic.name() : "")
                    .setTopicId(version < 13 ? Uuid.ZERO_UUID : id(topic));
            for (int partition = 0; partition < 3; partition++) {
                ProduceResponseData.PartitionProduceResponse with = new ProduceResponseData.PartitionProduceResponse()
                        .setIndex(partition)
                        .setErrorCode((short) (partition == 1 ? 6 : 0))
                        .setBaseOffset(1_000L * partition);
                if (version >= 8 && partition == 2) {
                    with.setErrorMessage("such a message")
                            .setRecordErrors(List.of(new ProduceResponseData.BatchIndexAndErrorMessage()
                                    .setBatchIndex(3)
                                    .setBatchIndexErrorMessage("bad")));
                }
                if (version >= 10 && partition == 1) {
                    with.setCurrentLeader(new ProduceResponseData.LeaderIdAndEpoch()
                            .setLeaderId(4)
                            .setLeaderEpoch(5));
                }
                of.partitionResponses().add(with);
            }
            data.responses().add(of);
        }
        return data;
    }

    private static ByteBuffer bytes(ProduceResponseData data, short version) {
        return MessageUtil.toByteBufferAccessor(data, version).buffer();
    }

    @ParameterizedTest
    @ValueSource(shorts = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    void answersOfEveryVersionAreRead(short version) throws IOException {
        ProduceAnswer answer = new ProduceAnswer();
        answer.begin(bytes(answer(version), version), version);
        for (TopicName topic : List.of(one, other)) {
            for (int partition = 0; partition < 3; partition++) {
                assertThat(answer.next()).isTrue();
                assertThat(answer.isFor(topic)).isTrue();
                assertThat(answer.isFor(topic == one ? other : one)).isFalse();
                assertThat(answer.partition()).isEqualTo(partition);
                assertThat(answer.error()).isEqualTo((short) (partition == 1 ? 6 : 0));
                assertThat(answer.baseOffset()).isEqualTo(1_000L * partition);
            }
        }
        assertThat(answer.next()).isFalse();
        assertThat(answer.throttleMillis()).isEqualTo(123);
    }

    /** Bytes that were cut off, turned or made up end in an exception or in an answer, soon and without more memory. */
    @Test
    void hostileBytesEndInAnIoException() {
        SplittableRandom random = new SplittableRandom(3);
        ProduceAnswer answer = new ProduceAnswer();
        int refused = 0;
        for (int i = 0; i < FUZZ; i++) {
            short version = (short) (3 + i % 11);
            ByteBuffer whole = i % 1_000 < 11 ? bytes(answer(version), version) : known[version];
            known[version] = whole;
            ByteBuffer torn = ByteBuffer.allocate(whole.limit());
            torn.put(whole.duplicate()).flip();
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                torn.put(random.nextInt(torn.limit()), (byte) random.nextInt());
            }
            torn.limit(random.nextInt(2) == 0 ? torn.limit() : random.nextInt(torn.limit() + 1));
            try {
                read(answer, torn, version);
            } catch (IOException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                fail("case " + i + " of version " + version, e);
            }
        }
        assertThat(refused).isPositive();
    }

    private final ByteBuffer[] known = new ByteBuffer[14];

    private void read(ProduceAnswer answer, ByteBuffer from, short version) throws IOException {
        answer.begin(from, version);
        int batches = 0;
        while (answer.next()) {
            answer.isFor(one);
            assertThat(++batches).isLessThan(1_000);
        }
    }
}
