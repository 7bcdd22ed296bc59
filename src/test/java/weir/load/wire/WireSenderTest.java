package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.load.EngineLoad;
import weir.load.QuietEngine;
import weir.load.engine.AckedEnds;
import weir.load.engine.Engine;
import weir.load.engine.EngineCounters;
import weir.load.send.Sender;
import weir.load.wire.FakeBrokers.Conduct;
import weir.load.wire.FakeBrokers.Deed;
import weir.measure.Balance;
import weir.measure.Count;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Call;
import weir.wire.Connection;

@Timeout(60)
class WireSenderTest {
    private static final long MILLI = 1_000_000;
    private static final Call.Producer IDEMPOTENT = new Call.Producer(77, (short) 0);
    private static final Call.Producer PLAIN = new Call.Producer(-1, (short) -1);
    private static final int RECORDS = 2_000;
    private static final String MANY = """
            load: { workload: produce, rate: max, value: { size: 100B } }
            warmup: none
            measure: { operations: 2000 }
            """;
    private static final String FEW = MANY.replace("2000", "20").replace("rate: max", "rate: 1000/s");
    private static final Conduct WELL = (broker, partition, attempt) -> Deed.WELL;
    /** Some hundred batches and retries, which contain each fault a dozen times. */
    private static final String SOME = MANY.replace("2000", "600");

    @TempDir
    Path folder;

    private FakeBrokers cluster = FakeBrokers.writable(1, (short) 12, WELL);
    private final EngineLoad engineLoad = new EngineLoad();
    private final List<String> events = engineLoad.events;
    private long ackedEnd;
    private long throttledMillis;
    private long bytesPerBatch;
    private long rawBytesPerBatch;
    private long drainMillis = 10_000;
    private ProducerSequences sequences = new ProducerSequences(RecordAudience.ANYONE);

    WireSenderTest() throws IOException {}

    @AfterEach
    void close() {
        cluster.close();
    }

    private void start(int partitions, Conduct conduct) throws IOException {
        start(partitions, (short) 12, conduct);
    }

    private void start(int partitions, short version, Conduct conduct) throws IOException {
        cluster.close();
        cluster = FakeBrokers.writable(partitions, version, conduct);
    }

    private static ProducerSettings terms(int acks, boolean idempotent, long deliveryMillis) {
        return terms(acks, idempotent, deliveryMillis, Compression.NONE);
    }

    private static ProducerSettings terms(int acks, boolean idempotent, long deliveryMillis, Compression compression) {
        return new ProducerSettings(
                "weir-test",
                (short) acks,
                idempotent,
                2_000,
                0,
                5,
                1 << 20,
                Math.min(400, deliveryMillis) * MILLI,
                deliveryMillis * MILLI,
                MILLI,
                2 * MILLI,
                Integer.MAX_VALUE,
                compression);
    }

    private Balance carry(String yaml, ProducerSettings terms) throws IOException {
        Engine engine = Engine.of(new Sending(cluster, terms));
        return engineLoad.carry(
                EngineLoad.variant(folder, yaml), folder, 7, engine, System::nanoTime, drainMillis, load -> {});
    }

    private static List<Long> upTo(int records) {
        return LongStream.range(0, records).boxed().toList();
    }

    private void assertAllAcked(Balance balance) {
        assertAcked(RECORDS, balance);
    }

    private void assertAcked(int records, Balance balance) {
        assertThat(balance.of(Count.ACKED)).isEqualTo(records);
        assertThat(balance.of(Count.SENT)).isEqualTo(records);
    }

    @ParameterizedTest
    @ValueSource(shorts = {3, 7, 8, 9, 12, 13})
    void everyMessageIsWrittenOnceAndInOrderInEveryVersion(short version) throws IOException {
        start(1, version, WELL);
        assertAllAcked(carry(MANY, terms(-1, true, 5_000)));
        assertThat(cluster.written(0)).isEqualTo(upTo(RECORDS));
        assertThat(ackedEnd).isEqualTo(RECORDS);
    }

    /** Sometimes refused, also by connections that end before or after the batch is written. */
    private static Deed troubled(int attempt) {
        return switch (attempt % 13) {
            case 3 -> Deed.refuses(Errors.NOT_ENOUGH_REPLICAS);
            case 6 -> Deed.KEEPS_AND_HANGS_UP;
            case 9 -> Deed.HANGS_UP;
            case 11 -> Deed.refuses(Errors.REQUEST_TIMED_OUT);
            default -> Deed.WELL;
        };
    }

    @Test
    void idempotentProducerIsExactUnderFailures() throws IOException {
        start(1, (b, p, attempt) -> troubled(attempt));
        assertAcked(600, carry(SOME, terms(-1, true, 30_000)));
        assertThat(cluster.written(0)).isEqualTo(upTo(600));
    }

    @ParameterizedTest
    @ValueSource(strings = {"AT_ONCE", "LATER"})
    void whatIsCompressedAheadIsNumberedLikeTheMessagesItStandsForInTrouble(RecordAudience audience)
            throws IOException {
        sequences = new ProducerSequences(audience);
        ProducerSettings terms = terms(-1, true, 30_000, Compression.lz4().build());
        start(1, (b, p, attempt) -> troubled(attempt));
        cluster.sequences = sequences;
        assertAcked(600, carry(SOME, terms));
        assertThat(cluster.written(0)).isEqualTo(upTo(600));
        assertThat(cluster.unnamed).isGreaterThan(300);
    }

    @Test
    void rejectedPrecompressedBatchLeavesOtherSequencesCorrect() throws IOException {
        sequences = new ProducerSequences(RecordAudience.LATER);
        start(1, (b, p, attempt) -> attempt == 20 ? Deed.refuses(Errors.MESSAGE_TOO_LARGE) : Deed.WELL);
        cluster.sequences = sequences;
        Balance balance = carry(MANY, terms(-1, true, 30_000, Compression.lz4().build()));
        List<Long> log = cluster.written(0);
        assertThat(log).hasSize((int) balance.of(Count.ACKED)).isSorted().doesNotHaveDuplicates();
        assertThat(balance.of(Count.ACKED)).isEqualTo(RECORDS - balance.of(Count.FAILED));
    }

    @Test
    void messagesForAnyReaderCarryTheirIdentity() throws IOException {
        sequences = new ProducerSequences(RecordAudience.ANYONE);
        assertAllAcked(carry(MANY, terms(-1, true, 30_000, Compression.lz4().build())));
        assertThat(cluster.unnamed).isZero();
    }

    @Test
    void producerWithoutIdempotenceLosesNothingUnderFailures() throws IOException {
        start(1, (b, p, attempt) -> troubled(attempt));
        assertAcked(600, carry(SOME, terms(1, false, 30_000)));
        Set<Long> written = new HashSet<>(cluster.written(0));
        assertThat(written).hasSize(600);
    }

    @Test
    void rejectedBatchFailsAloneAndOthersKeepTheirOrder() throws IOException {
        start(1, (b, p, attempt) -> attempt == 20 ? Deed.refuses(Errors.INVALID_RECORD) : Deed.WELL);
        Balance balance = carry(MANY, terms(-1, true, 30_000));
        assertThat(balance.of(Count.FAILED)).isBetween(1L, 40L);
        assertThat(balance.of(Count.ACKED)).isEqualTo(RECORDS - balance.of(Count.FAILED));
        List<Long> log = cluster.written(0);
        assertThat(log).hasSize((int) balance.of(Count.ACKED)).isSorted().doesNotHaveDuplicates();
        assertThat(events).anyMatch(event -> event.startsWith("first failure: InvalidRecordException"));
    }

    /** Batches that are filled ahead, written when they leave, and compressed. */
    private static Stream<Arguments> batchesOfEachKind() {
        return Stream.of(
                arguments(SOME, Compression.NONE),
                arguments(SOME.replace("rate: max", "rate: max, key: sequence"), Compression.NONE),
                arguments(SOME, Compression.lz4().build()));
    }

    @ParameterizedTest
    @MethodSource("batchesOfEachKind")
    void oversizedBatchIsSplitAndKeepsTheOrder(String yaml, Compression compression) throws IOException {
        start(1, (b, p, attempt) -> attempt % 50 == 20 ? Deed.KEEPS_AND_HANGS_UP : Deed.WELL);
        cluster.mostRecords = 9;
        assertAcked(600, carry(yaml, terms(-1, true, 30_000, compression)));
        assertThat(cluster.written(0)).isEqualTo(upTo(600));
        assertThat(events)
                .filteredOn(event -> event.endsWith("bytes; the producer splits the batch and sends the parts"))
                .hasSize(1);
    }

    @Test
    void aRecordThatIsTooLargeByItselfFails() throws IOException {
        cluster.mostRecords = 0;
        Balance balance = carry(FEW, terms(-1, true, 5_000));
        assertThat(balance.of(Count.FAILED)).isEqualTo(20);
        assertThat(events).anyMatch(event -> event.startsWith("first failure: RecordTooLargeException"));
    }

    @Test
    void batchRefusedUntilItsTimeoutExpires() throws IOException {
        start(1, (b, p, attempt) -> Deed.refuses(Errors.NOT_ENOUGH_REPLICAS));
        Balance balance = carry(FEW, terms(-1, true, 100));
        assertThat(balance.of(Count.FAILED)).isEqualTo(20);
        assertThat(cluster.written(0)).isEmpty();
        assertThat(events).anyMatch(event -> event.startsWith("first failure: TimeoutException: Expiring"));
    }

    @Test
    void aLeaderThatMovedIsFollowed() throws IOException {
        Conduct conduct = (broker, partition, attempt) -> {
            if (attempt % 25 == 0) {
                cluster.lead(partition, attempt / 25 % 2);
            }
            return Deed.WELL;
        };
        start(2, conduct);
        assertAllAcked(carry(MANY, terms(-1, true, 30_000)));
        List<Long> all = new ArrayList<>(cluster.written(0));
        all.addAll(cluster.written(1));
        assertThat(all).hasSize(RECORDS).doesNotHaveDuplicates();
        assertThat(cluster.written(0)).isSorted();
        assertThat(cluster.written(1)).isSorted();
    }

    @Test
    void aTopicThatWasMadeAgainEndsTheLoad() throws IOException {
        Conduct conduct = (broker, partition, attempt) -> {
            if (attempt == 10) {
                cluster.makeTopicAgain();
            }
            return attempt >= 10 ? Deed.refuses(Errors.UNKNOWN_TOPIC_ID) : Deed.WELL;
        };
        start(1, (short) 13, conduct);
        assertThatThrownBy(() -> carry(MANY, terms(-1, true, 5_000)))
                .hasMessage("topic 't' was deleted and created again during the run");
    }

    @Test
    void brokerQuotaIsFollowedAndReported() throws IOException {
        start(1, (b, p, attempt) -> new Deed(true, Errors.NONE, false, attempt == 5 ? 100 : 0));
        assertAllAcked(carry(MANY, terms(-1, true, 30_000)));
        assertThat(throttledMillis).isEqualTo(100);
        assertThat(events).filteredOn(event -> event.contains("quota")).hasSize(1);
    }

    @Test
    void silentBrokerIsReconnectedAndTheBatchRetried() throws IOException {
        start(1, (b, p, attempt) -> attempt == 7 ? Deed.SAYS_NOTHING : Deed.WELL);
        assertAllAcked(carry(MANY, terms(-1, true, 30_000)));
        assertThat(cluster.written(0)).isEqualTo(upTo(RECORDS));
    }

    @Test
    void messagesInFlightAfterTheDrainAreUnresolved() throws IOException {
        drainMillis = 100;
        start(1, (b, p, attempt) -> Deed.SAYS_NOTHING);
        Balance balance = carry("""
                load: { workload: produce, rate: 1000/s, value: { size: 100B } }
                warmup: none
                measure: { operations: 4 }
                """, terms(-1, true, 30_000));
        assertThat(balance.of(Count.UNRESOLVED))
                .isEqualTo(balance.of(Count.SENT))
                .isPositive();
        assertThat(balance.of(Count.FAILED)).isZero();
    }

    @Test
    void sequenceNumbersWrapLikeThoseOfKafka() {
        int sequence = Integer.MAX_VALUE - 700;
        long unwrapped = sequence;
        for (int i = 0; i < 40; i++) {
            assertThat(PartitionQueue.sequence(unwrapped)).isEqualTo(sequence);
            sequence = DefaultRecordBatch.incrementSequence(sequence, 100);
            unwrapped += 100;
        }
        assertThat(sequence).isLessThan(4_000);
    }

    @Test
    void batchSizeLimitsTheCompressedBatch() throws IOException {
        Compression lz4 = Compression.lz4().build();
        String half = MANY.replace("100B", "250B, content: { random: 50% }");
        assertAllAcked(carry(half, terms(-1, true, 5_000, lz4)));
        assertThat(cluster.written(0)).isEqualTo(upTo(RECORDS));
        assertThat(bytesPerBatch).isBetween(1_400L, 2_000L);
        assertThat(rawBytesPerBatch).isGreaterThan(2_400);
    }

    @Test
    void writtenRecordsCountAsAckedWithAcksZero() throws IOException {
        start(2, WELL);
        assertAllAcked(carry(MANY, terms(0, false, 5_000)));
        // No broker confirms the batch, and yet it is written when the sender ends.
        assertThat(cluster.written(0).size() + cluster.written(1).size()).isEqualTo(RECORDS);
    }

    @Test
    void partitionsOfOneLeaderShareRequests() throws IOException {
        start(4, WELL);
        assertAllAcked(carry(MANY, terms(-1, true, 5_000)));
        assertThat(cluster.sizes()).contains(4);
        for (int partition = 0; partition < 4; partition++) {
            assertThat(cluster.written(partition)).isNotEmpty().isSorted();
        }
    }

    @Test
    void keysGoToThePartitionThatTheClientWouldChoose() throws IOException {
        start(4, WELL);
        assertAllAcked(carry(MANY.replace("rate: max", "rate: max, key: sequence"), terms(-1, true, 5_000)));
        for (int partition = 0; partition < 4; partition++) {
            int here = partition;
            List<Long> expected = upTo(RECORDS).stream()
                    .filter(n ->
                            BuiltInPartitioner.partitionForKey(String.valueOf(n).getBytes(StandardCharsets.US_ASCII), 4)
                                    == here)
                    .toList();
            assertThat(cluster.written(partition)).isEqualTo(expected);
        }
    }

    @Test
    void messageAboveTheRequestLimitIsRefusedByTheClient() throws IOException {
        Balance balance = carry("""
                load: { workload: produce, rate: 1000/s, value: { size: 2MB } }
                warmup: none
                measure: { operations: 3 }
                """, terms(-1, true, 5_000));
        assertThat(balance.of(Count.FAILED)).isEqualTo(3);
        assertThat(events)
                .anyMatch(event -> event.startsWith("first failure: RecordTooLargeException: The message is"));
    }

    /** The part of an engine that sending needs. */
    private final class Sending implements QuietEngine {
        private final BootstrapBroker contact;
        private final PartitionLeaders leaders;
        private final ConnectionOpener dialer;
        private final ProducerSettings terms;
        private final List<WireSender> senders = new ArrayList<>();

        Sending(FakeBrokers cluster, ProducerSettings terms) {
            this.terms = terms;
            Connection.Options options = Connection.Options.named("weir-test");
            contact = new BootstrapBroker(cluster.bootstrap(), BrokerAccess.plaintext(), options);
            leaders = new PartitionLeaders(contact, List.of(FakeBrokers.TOPIC), 300_000, 1, System::nanoTime);
            dialer = new ConnectionOpener(BrokerAccess.plaintext(), options, new ConnectionOpener.Pauses(2_000, 1, 2));
        }

        @Override
        public List<String> partitions() {
            return leaders.partitions().stream().map(LoadPartition::toString).toList();
        }

        @Override
        public Sender sender(int producer) {
            WireSender sender = new WireSender(
                    producer,
                    terms,
                    terms.idempotent() ? IDEMPOTENT : PLAIN,
                    leaders,
                    dialer,
                    sequences,
                    System::nanoTime,
                    () -> 1_700_000_000_000L,
                    events::add);
            senders.add(sender);
            return sender;
        }

        @Override
        public void close() {
            ackedEnd = senders.isEmpty()
                    ? 0
                    : AckedEnds.of(List.of(FakeBrokers.TOPIC), List.of(senders.get(0).ends), List.of("t-0"))[0];
            senders.forEach(sender -> {
                EngineCounters<WireCount> tally = sender.counters;
                throttledMillis = tally.now(WireCount.THROTTLE_MILLIS);
                long batches = Math.max(1, tally.now(WireCount.BATCHES));
                bytesPerBatch = tally.now(WireCount.BYTES) / batches;
                rawBytesPerBatch = tally.now(WireCount.RAW_BYTES) / batches;
            });
            leaders.close();
            dialer.close();
            contact.close();
        }
    }
}
