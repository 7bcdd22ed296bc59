package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our messages of fetching say what Kafka's own say, in every version. */
class FetchMessagesTest {
    private static final TopicName[] TOPICS = {
        new TopicName("orders", new TopicId(1, 2)),
        new TopicName("a-topic-with-a-name-that-is-much-longer-than-most-of-them-are-".repeat(4), new TopicId(-3, 4))
    };

    static Stream<Short> versions() {
        return IntStream.rangeClosed(Api.FETCH.lowest(), Api.FETCH.highest()).mapToObj(v -> (short) v);
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
            expected.topics().add(version >= 13 ? one.setTopicId(id(topic)) : one.setTopic(topic.name()));
        }
        return expected;
    }

    private static Uuid id(TopicName topic) {
        return new Uuid(topic.id().high(), topic.id().low());
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
                            .setTopicId(id(topic))
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
        assertThat(response.throttleMillis()).isEqualTo(123);
        assertThat(response.error()).isEqualTo((short) (version >= 7 ? 71 : 0));
        assertThat(response.sessionId()).isEqualTo(version >= 7 ? 55 : 0);
        for (TopicName topic : TOPICS) {
            assertThat(response.next()).isTrue();
            assertThat(Stream.of(TOPICS).filter(response::isFor)).containsExactly(topic);
            assertThat(response.partitionIndex()).isEqualTo(3);
            assertThat(response.partitionError()).isEqualTo((short) 6);
            assertThat(response.divergingEnd()).isEqualTo(version >= 12 ? 77 : -1);
            assertThat(response.aborted()).isEqualTo(2);
            assertThat(Written.read(response.bytes().slice(response.recordsAt(), response.recordsBytes())))
                    .isEqualTo(log.records);
            assertThat(response.next()).isTrue();
            assertThat(response.partitionIndex()).isEqualTo(4);
            assertThat(response.partitionError()).isZero();
            assertThat(response.recordsBytes()).isZero();
            assertThat(response.divergingEnd()).isEqualTo(-1);
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
