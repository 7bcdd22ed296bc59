package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.load.OneInbox;
import weir.load.read.Inbox;
import weir.measure.Balance;
import weir.measure.Count;

@Timeout(30)
class CountedByHeadersTest extends ReaderOfFakes {
    private static final int CRC_AT = 17;
    private static final int CHECKED_FROM = 21;
    private static final int COUNT_AT = 57;
    private static final int RECORDS_AT = 61;

    CountedByHeadersTest() throws IOException {}

    @BeforeEach
    void byHeaders() {
        headersOnly = true;
        into = OneInbox.of(1, Inbox.Counting.HEADERS);
    }

    private long bytesInLog() {
        return cluster.log(0).batches.stream()
                .mapToLong(MemoryRecords::sizeInBytes)
                .sum();
    }

    @Test
    void recordsOfEveryCodecAreCountedWithoutTheirIdentity() throws Exception {
        into.acked(0, EACH * CODECS.size());
        for (int i = 0; i < CODECS.size(); i++) {
            write(0, 0, i * EACH, CODECS.get(i));
        }
        long bytes = bytesInLog();
        into.want(1_000);
        read();
        untilRead(0, offset(CODECS.size()));
        Balance balance = balance(offset(CODECS.size()));
        assertThat(into.received()).isEqualTo(offset(CODECS.size()));
        assertThat(into.bytes()).isEqualTo(bytes);
        assertThat(new long[] {
                    balance.of(Count.RECEIVED),
                    balance.of(Count.LOST),
                    balance.of(Count.UNREAD),
                    balance.of(Count.DUPLICATED),
                    balance.of(Count.REREAD),
                    balance.of(Count.REORDERED),
                    balance.of(Count.GHOSTS),
                    balance.of(Count.FOREIGN),
                    balance.of(Count.EXPIRED)
                })
                .containsOnly(Balance.UNKNOWN);
    }

    @Test
    void noRecordIsLookedAt() throws Exception {
        MemoryRecords batch = MemoryRecords.withRecords(0, Compression.NONE, records(0, 0));
        ByteBuffer bytes = batch.buffer();
        for (int at = RECORDS_AT; at < bytes.limit(); at++) {
            bytes.put(at, (byte) -1);
        }
        bytes.putInt(CRC_AT, crc(bytes));
        cluster.append(0, batch, EACH);
        into.want(1_000);
        read();
        untilRead(0, EACH);
        balance(EACH);
        assertThat(into.received()).isEqualTo(EACH);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(CHECKED_FROM));
        return (int) crc.getValue();
    }

    @Test
    void wrongBatchHeaderFailsTheCrc() throws Exception {
        write(0, 0, 0);
        MemoryRecords lie = MemoryRecords.withRecords(EACH, Compression.NONE, records(0, EACH));
        lie.buffer().putInt(COUNT_AT, EACH - 1);
        cluster.append(0, lie, EACH);
        into.want(1_000);
        read();
        until(() -> death.get() != null);
        assertThat(death.get())
                .hasMessageContaining(": partition t-0: record batches")
                .hasMessageContaining("a batch of 9 records from offset 10 on whose CRC is");
    }

    @Test
    void stepEndsInsideABatchAndTheNextStepContinuesThere() throws Exception {
        for (int batch = 0; batch < 6; batch++) {
            write(
                    0,
                    0,
                    batch * EACH,
                    batch % 2 == 0 ? Compression.NONE : Compression.lz4().build());
        }
        long bytes = bytesInLog();
        readInSteps();
        balance(60);
        assertThat(into.received()).isEqualTo(60);
        assertThat(into.bytes()).isEqualTo(bytes);
    }

    @Test
    void readingContinuesAtRecordOffsetsInACompactedBatch() throws Exception {
        cluster.append(0, compacted(0, 3, 4, 9), EACH);
        write(0, 0, 10);
        read();
        into.want(2);
        untilRead(0, 4);
        until(() -> !into.inbox.open());
        assertThat(into.position(0)).as("the offset of the third record").isEqualTo(4);
        into.want(1_000);
        untilRead(0, 20);
        balance(20);
        assertThat(into.received()).isEqualTo(14);
    }

    private static MemoryRecords compacted(long... offsets) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(
                ByteBuffer.allocate(4_000), Compression.lz4().build(), TimestampType.CREATE_TIME, offsets[0]);
        SimpleRecord[] records = records(0, 0);
        for (int i = 0; i < offsets.length; i++) {
            builder.appendWithOffset(offsets[i], records[i]);
        }
        return builder.build();
    }
}
