package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class CallTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int FUZZ = 100_000;

    private final TopicName one = new TopicName("one", new Uuid(11, 12));
    private final TopicName other = new TopicName("öther", new Uuid(21, 22));
    private final ByteBuffer[] known = new ByteBuffer[14];

    private interface Answer {
        ApiMessage to(FakeBroker.Asked asked);
    }

    /** Returns a broker that supports one request only up to this version. */
    private static FakeBroker broker(Api api, short highest, Answer answer) throws IOException {
        return new FakeBroker((asked, out) -> {
            if (asked.api() == ApiKeys.API_VERSIONS) {
                out.write(asked.answer(FakeBroker.versions(api, highest)));
            } else {
                assertThat(asked.version()).isEqualTo(highest);
                out.write(asked.answer(answer.to(asked)));
            }
        });
    }

    private static Call call(FakeBroker broker) throws IOException {
        return Call.open(broker.at(), BrokerAccess.plaintext(), Connection.Options.named("test"), LIMIT);
    }

    private static ApiMessage metadata(FakeBroker.Asked asked) {
        MetadataRequestData request = new MetadataRequestData(new ByteBufferAccessor(asked.body()), asked.version());
        assertThat(request.allowAutoTopicCreation()).isFalse();
        MetadataResponseData answer = new MetadataResponseData();
        answer.brokers().add(broker(1, "one"));
        answer.brokers().add(broker(2, "two"));
        answer.topics()
                .add(new MetadataResponseData.MetadataResponseTopic()
                        .setName(request.topics().get(0).name())
                        .setTopicId(asked.version() >= 10 ? new Uuid(7, 8) : Uuid.ZERO_UUID)
                        .setPartitions(List.of(partition(1, 9, 4), partition(0, 2, 3))));
        answer.topics()
                .add(new MetadataResponseData.MetadataResponseTopic()
                        .setName(request.topics().get(1).name())
                        .setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code()));
        return answer;
    }

    private static MetadataResponseData.MetadataResponseBroker broker(int id, String host) {
        return new MetadataResponseData.MetadataResponseBroker()
                .setNodeId(id)
                .setHost(host)
                .setPort(9092);
    }

    private static MetadataResponseData.MetadataResponsePartition partition(int number, int leader, int epoch) {
        return new MetadataResponseData.MetadataResponsePartition()
                .setPartitionIndex(number)
                .setLeaderId(leader)
                .setLeaderEpoch(epoch)
                .setReplicaNodes(List.of(leader, 1))
                .setIsrNodes(List.of(leader));
    }

    @Test
    void leadersAreUnderstoodInEveryVersion() throws Exception {
        for (short version = Api.METADATA.lowest; version <= Api.METADATA.highest; version++) {
            try (FakeBroker broker = broker(Api.METADATA, version, CallTest::metadata);
                    Call call = call(broker)) {
                Metadata known = call.metadata(List.of("there", "gone"), LIMIT);
                assertThat(known.brokers()).containsEntry(2, new Endpoint("two", 9092));
                Metadata.Topic there = known.topics().get(0);
                assertThat(there.id()).isEqualTo(version >= 10 ? new Uuid(7, 8) : Uuid.ZERO_UUID);
                // The leader of the second partition is an unknown broker.
                assertThat(there.partitions())
                        .containsExactly(
                                new Metadata.Partition(2, 3, List.of(2, 1), List.of(2)),
                                new Metadata.Partition(Metadata.NO_LEADER, 4, List.of(9, 1), List.of(9)));
                BrokerError gone = known.topics().get(1).fault();
                assertThat(gone.is(Errors.UNKNOWN_TOPIC_OR_PARTITION)).isTrue();
                assertThat(gone.retriable() && gone.moved()).isTrue();
            }
        }
    }

    private static ApiMessage offsets(FakeBroker.Asked asked) {
        ListOffsetsRequestData request =
                new ListOffsetsRequestData(new ByteBufferAccessor(asked.body()), asked.version());
        ListOffsetsResponseData answer = new ListOffsetsResponseData();
        for (ListOffsetsRequestData.ListOffsetsTopic topic : request.topics()) {
            var told = new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsRequestData.ListOffsetsPartition partition : topic.partitions()) {
                boolean led = partition.partitionIndex() < 2;
                long offset = 1_000 * partition.timestamp() + request.isolationLevel();
                told.partitions()
                        .add(new ListOffsetsResponseData.ListOffsetsPartitionResponse()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(led ? 0 : Errors.NOT_LEADER_OR_FOLLOWER.code())
                                .setOffset(led ? offset : -1));
            }
            answer.topics().add(told);
        }
        return answer;
    }

    @Test
    void endsAndBeginningsAreAskedForInEveryVersion() throws Exception {
        List<Call.TopicPartitionName> spots = List.of(
                new Call.TopicPartitionName("a", 0),
                new Call.TopicPartitionName("b", 1),
                new Call.TopicPartitionName("a", 2));
        for (short version = Api.LIST_OFFSETS.lowest; version <= Api.LIST_OFFSETS.highest; version++) {
            try (FakeBroker broker = broker(Api.LIST_OFFSETS, version, CallTest::offsets);
                    Call call = call(broker)) {
                var ends = call.offsets(spots, Call.Place.END, true, LIMIT);
                var beginnings = call.offsets(spots, Call.Place.BEGINNING, false, LIMIT);
                assertThat(ends).hasSize(3).containsEntry(spots.get(0), new Call.Offset(-999, BrokerError.NONE));
                assertThat(beginnings).containsEntry(spots.get(1), new Call.Offset(-2_000, BrokerError.NONE));
                BrokerError elsewhere = BrokerError.of(Errors.NOT_LEADER_OR_FOLLOWER.code());
                assertThat(ends).containsEntry(spots.get(2), new Call.Offset(-1, elsewhere));
            }
        }
    }

    @Test
    void producerIdIsRequestedInEveryVersionAndRetriedIfUnavailable() throws Exception {
        for (short version = 0; version <= Api.INIT_PRODUCER_ID.highest; version++) {
            Answer made = asked ->
                    new InitProducerIdResponseData().setProducerId(4_711).setProducerEpoch((short) 3);
            try (FakeBroker broker = broker(Api.INIT_PRODUCER_ID, version, made);
                    Call call = call(broker)) {
                assertThat(call.newProducer(LIMIT)).isEqualTo(new Call.Producer(4_711, (short) 3));
            }
        }
        Answer busy =
                asked -> new InitProducerIdResponseData().setErrorCode(Errors.COORDINATOR_LOAD_IN_PROGRESS.code());
        Answer no = asked -> new InitProducerIdResponseData().setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        try (FakeBroker broker = broker(Api.INIT_PRODUCER_ID, (short) 4, busy);
                Call call = call(broker)) {
            assertThatThrownBy(() -> call.newProducer(LIMIT)).isNotInstanceOf(BrokerRefusal.class);
        }
        try (FakeBroker broker = broker(Api.INIT_PRODUCER_ID, (short) 4, no);
                Call call = call(broker)) {
            assertThatThrownBy(() -> call.newProducer(LIMIT)).isInstanceOf(BrokerRefusal.class);
        }
    }

    @Test
    void unknownErrorCodeIsReportedByNumber() {
        assertThat(BrokerError.of((short) 32_000).name()).isEqualTo("ERROR_32000");
        assertThat(BrokerError.of((short) 32_000).retriable()).isFalse();
    }

    @Test
    void bootstrapServersAreReadAsAListOfEndpoints() {
        assertThat(Endpoint.list("a:1, SSL://b:2,[::1]:9092,"))
                .containsExactly(new Endpoint("a", 1), new Endpoint("b", 2), new Endpoint("::1", 9092));
        assertThat(new Endpoint("::1", 9092)).hasToString("[::1]:9092");
        assertThatThrownBy(() -> Endpoint.list("a")).hasMessage("'a' is not an endpoint; write it like kafka-1:9092");
    }

    /** Producers take turns at random; the test tracks the content of the log by hand. */
    @ParameterizedTest
    @ValueSource(shorts = {4, 11, 12, 18})
    void onlyBatchesOfAbortedTransactionsAreLeftOut(short version) throws IOException {
        SplittableRandom random = new SplittableRandom(version);
        Written log = new Written(random);
        List<FetchResponseData.AbortedTransaction> aborted = new ArrayList<>();
        List<Boolean> wanted = new ArrayList<>();
        int producers = 4;
        long[] first = {-1, -1, -1, -1};
        List<List<Integer>> batches =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 400; i++) {
            int producer = random.nextInt(producers + 1);
            if (producer == producers) {
                log.batch(0, 2);
                wanted.add(true);
            } else if (random.nextInt(3) > 0) {
                int before = log.records.size();
                log.batch(0, 2, producer);
                first[producer] = first[producer] < 0 ? log.records.get(before).offset() : first[producer];
                batches.get(producer).add(wanted.size());
                wanted.add(true);
            } else {
                boolean commits = random.nextBoolean();
                log.mark(producer, commits);
                wanted.add(true);
                if (!commits && first[producer] >= 0) {
                    batches.get(producer).forEach(batch -> wanted.set(batch, false));
                    aborted.add(new FetchResponseData.AbortedTransaction()
                            .setProducerId(producer)
                            .setFirstOffset(first[producer]));
                }
                batches.get(producer).clear();
                first[producer] = -1;
            }
        }
        assertThat(aborted).hasSizeGreaterThan(5);
        FetchResponse response = response(version, log, aborted);
        assertThat(response.aborted).isEqualTo(aborted.size());
        AbortedTransactions transactions = new AbortedTransactions();
        transactions.begin(response);
        Batches all = new Batches();
        all.begin(response.bytes(), response.recordsAt, response.recordsAt + response.recordsBytes);
        List<Boolean> kept = new ArrayList<>();
        try (RecordCursor records = new RecordCursor(Written.HEADER, 1 << 20)) {
            while (all.next()) {
                kept.add(!transactions.contain(all, records));
            }
        }
        assertThat(kept).isEqualTo(wanted);
    }

    private static FetchResponse response(
            short version, Written log, List<FetchResponseData.AbortedTransaction> aborted) throws IOException {
        FetchResponseData data = new FetchResponseData()
                .setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                        .setTopic("t")
                        .setPartitions(List.of(new FetchResponseData.PartitionData()
                                .setAbortedTransactions(aborted)
                                .setRecords(MemoryRecords.readableRecords(log.whole()))))));
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(data, version).buffer();
        FetchResponse response = new FetchResponse();
        response.begin(bytes, version);
        assertThat(response.next()).isTrue();
        return response;
    }

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
                String name = version < 13 ? (i < 2 ? "one" : "öther") : String.valueOf((i < 2 ? one : other).id());
                expected.add(name + "-" + i + ":" + (100 * i + 61));
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    private ProduceResponseData answer(short version) {
        ProduceResponseData data = new ProduceResponseData().setThrottleTimeMs(123);
        for (TopicName topic : List.of(one, other)) {
            ProduceResponseData.TopicProduceResponse of = new ProduceResponseData.TopicProduceResponse()
                    .setName(version < 13 ? topic.name() : "")
                    .setTopicId(version < 13 ? Uuid.ZERO_UUID : topic.id());
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
                assertThat(answer.partition).isEqualTo(partition);
                assertThat(answer.error).isEqualTo((short) (partition == 1 ? 6 : 0));
                assertThat(answer.baseOffset).isEqualTo(1_000L * partition);
            }
        }
        assertThat(answer.next()).isFalse();
        assertThat(answer.throttleMillis).isEqualTo(123);
    }

    /** Bytes that are cut off, flipped or made up lead to an exception or an answer, soon and without more memory. */
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

    private void read(ProduceAnswer answer, ByteBuffer from, short version) throws IOException {
        answer.begin(from, version);
        int batches = 0;
        while (answer.next()) {
            answer.isFor(one);
            assertThat(++batches).isLessThan(1_000);
        }
    }
}
