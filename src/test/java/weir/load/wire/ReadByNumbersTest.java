package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.load.OneInbox;
import weir.load.SomeLots;
import weir.load.message.Identity;
import weir.measure.Balance;
import weir.measure.Count;
import weir.wire.Call;
import weir.wire.CompressedBatch;
import weir.wire.RecordBatch;
import weir.wire.TopicName;

/** Batches that were compressed ahead, and a reader of them. */
@Timeout(30)
class ReadByNumbersTest extends ReaderOfFakes {
    private static final Call.Producer PRODUCER = new Call.Producer(4_711, (short) 3);
    private static final int VALUE_BYTES = 100;
    private static final long SECOND = 1_000_000_000L;
    private static final Uuid TOPIC = new Uuid(5, 6);

    private BatchBuffer slot = slot(Compression.lz4().build());
    private PartitionQueue lane = lane(new ProducerSequences(RecordAudience.AT_ONCE));
    private long next;

    ReadByNumbersTest() throws IOException {}

    @BeforeEach
    void know() {
        sequences = new ProducerSequences(RecordAudience.AT_ONCE);
        lane = lane(sequences);
    }

    private static PartitionQueue lane(ProducerSequences known) {
        return new PartitionQueue(
                0,
                new LoadPartition(0, "t", TOPIC, 0),
                new TopicName("t", TOPIC),
                PRODUCER,
                known.of(PRODUCER, true, 1)[0]);
    }

    private static BatchBuffer slot(Compression codec) {
        BatchBuffer filled = new BatchBuffer(4_000, new CompressedBatch.Codec(codec), false);
        for (int i = 0; i < EACH; i++) {
            byte[] value = new byte[VALUE_BYTES];
            Identity.write(value, OneInbox.RUN_TAG, 0, i, 0);
            filled.batch.append(RecordBatch.NONE, value, RecordBatch.NONE);
        }
        return filled;
    }

    /** Returns the next ten messages, due this time ago, as they leave. */
    private ByteBuffer sent(long agoNanos) {
        SomeLots.alike(slot.messages, next, EACH, System.nanoTime() - agoNanos);
        next += EACH;
        assertThat(lane.knows(slot.messages)).isTrue();
        lane.addUnnamed(slot, 1_700_000_000_000L);
        return leaves(slot);
    }

    private ByteBuffer leaves(BatchBuffer leaving) {
        lane.buffers.remove(leaving);
        ByteBuffer bytes = leaving.bytes();
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }

    private void append(ByteBuffer batch) {
        append(batch, EACH);
    }

    /** Appends like the broker: only the offset is new. */
    private void append(ByteBuffer batch, int records) {
        ByteBuffer kept =
                ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
        kept.putLong(0, cluster.log(0).end);
        cluster.append(0, MemoryRecords.readableRecords(kept), records);
    }

    private Balance readAll() throws InterruptedException {
        long end = cluster.log(0).end;
        read();
        untilRead(0, end);
        return balance(end);
    }

    @ParameterizedTest
    @EnumSource(value = CompressionType.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void recordsWithoutIdentityAreIdentifiedBySequenceNumbers(CompressionType type) throws Exception {
        slot = slot(Compression.of(type).build());
        into.acked(0, 50);
        for (int i = 0; i < 5; i++) {
            append(sent(7 * SECOND));
        }
        assertThat(facts(readAll())).containsExactly(50L, 0L, 0L, 0L, 0L);
        assertThat(into.bytes()).isEqualTo(50L * VALUE_BYTES);
        assertThat(into.timed()).isEqualTo(50);
        assertThat(into.shortestMillis())
                .as("e2e")
                .isGreaterThanOrEqualTo(6_990)
                .isLessThan(30_000);
    }

    @Test
    void batchResentAfterALostAckCountsAsDuplicated() throws Exception {
        into.acked(0, 30);
        append(sent(0));
        ByteBuffer again = sent(0);
        append(again);
        append(again);
        append(sent(0));
        assertThat(facts(readAll())).containsExactly(30L, 0L, 10L, 0L, 0L);
        assertThat(into.examples()).containsExactly("duplicated: producer 0, messages 10 to 19");
        assertThat(into.timed()).as("each once").isEqualTo(30);
    }

    @Test
    void aBatchThatIsNotThereIsLost() throws Exception {
        into.acked(0, 30);
        append(sent(0));
        ByteBuffer gone = sent(0);
        assertThat(gone.hasRemaining()).isTrue();
        append(sent(0));
        assertThat(facts(readAll())).containsExactly(20L, 10L, 0L, 0L, 0L);
        assertThat(into.examples()).containsExactly("lost: producer 0, messages 10 to 19");
    }

    @Test
    void batchesThatChangedPlacesAreReordered() throws Exception {
        into.acked(0, 20);
        ByteBuffer first = sent(0);
        append(sent(0));
        append(first);
        assertThat(facts(readAll())).containsExactly(20L, 0L, 0L, 0L, 10L);
    }

    @Test
    void aDamagedBatchEndsTheReader() throws Exception {
        append(sent(0));
        ByteBuffer damaged = sent(0);
        damaged.put(90, (byte) ~damaged.get(90));
        append(damaged);
        read();
        until(() -> death.get() != null);
        assertThat(death.get()).hasMessageContaining("from offset 10 on whose CRC is");
    }

    @Test
    void wholeAndOtherBatchesMayFollowEachOther() throws Exception {
        into.acked(0, 30);
        append(sent(0));
        write(0, 0, 10);
        next += EACH;
        append(sent(0));
        assertThat(facts(readAll())).containsExactly(30L, 0L, 0L, 0L, 0L);
    }

    @Test
    void halvesOfABatchThatWasTooLargeSayWhoTheyAre() throws Exception {
        into.acked(0, 30);
        append(sent(0));
        SomeLots.alike(slot.messages, next, EACH, System.nanoTime());
        next += EACH;
        lane.addUnnamed(slot, 1_700_000_000_000L);
        BatchBuffer rest = new BatchBuffer(
                4_000, new CompressedBatch.Codec(Compression.lz4().build()), true);
        lane.halve(slot, rest);
        append(leaves(slot), EACH / 2);
        append(leaves(rest), EACH / 2);
        append(sent(0));
        assertThat(facts(readAll())).containsExactly(30L, 0L, 0L, 0L, 0L);
    }

    @Test
    void readerWithoutSequenceNumbersCountsRecordsAsForeign() throws Exception {
        into.acked(0, 10);
        append(sent(0));
        sequences = new ProducerSequences(RecordAudience.AT_ONCE);
        Balance balance = readAll();
        assertThat(balance.of(Count.RECEIVED)).isZero();
        assertThat(balance.of(Count.LOST)).isEqualTo(10);
        assertThat(into.received()).isZero();
    }
}
