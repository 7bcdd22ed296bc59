package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordBatchTest {
    private static final byte[] NAME = "weir".getBytes(StandardCharsets.US_ASCII);
    private static final long NOW = 1_700_000_000_000L;
    private static final int RECORDS = 300;

    private final SplittableRandom random = new SplittableRandom(1);
    private final RecordBatch batch = new RecordBatch(1_000, NAME);
    private final RecordBatch.Origin origin = new RecordBatch.Origin();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private final List<byte[]> headers = new ArrayList<>();

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void appendMany() {
        for (int i = 0; i < RECORDS; i++) {
            byte[] key = i % 3 == 0 ? bytes(i % 150) : RecordBatch.NONE;
            byte[] value = bytes(24 + random.nextInt(i == 100 ? 20_000 : 300));
            byte[] header = i % 5 == 0 ? bytes(24) : RecordBatch.NONE;
            int before = batch.size(batch.count());
            int cost = batch.cost(key, value, header);
            batch.append(key, value, header);
            assertThat(batch.size(batch.count())).isEqualTo(before + cost);
            keys.add(key);
            values.add(value);
            headers.add(header);
        }
    }

    private void identify(int records, long salt) {
        for (int i = 0; i < records; i++) {
            batch.identify(i, (int) salt, salt + i, -salt * i);
            ByteBuffer.wrap(values.get(i))
                    .putInt(4, (int) salt)
                    .putLong(8, salt + i)
                    .putLong(16, -salt * i);
        }
    }

    private ByteBuffer kafkas(int records, Compression compression, long id, short epoch, int sequence) {
        MemoryRecordsBuilder builder = MemoryRecords.builder(
                ByteBuffer.allocate(1 << 20),
                (byte) 2,
                compression,
                TimestampType.CREATE_TIME,
                0,
                NOW,
                id,
                epoch,
                sequence,
                false,
                -1);
        for (int i = 0; i < records; i++) {
            byte[] key = keys.get(i) == RecordBatch.NONE ? null : keys.get(i);
            Header[] with = headers.get(i) == RecordBatch.NONE
                    ? new Header[0]
                    : new Header[] {new RecordHeader("weir", headers.get(i))};
            builder.append(NOW, key, values.get(i), with);
        }
        return builder.build().buffer();
    }

    private static byte[] copy(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 65, RECORDS})
    void theFirstRecordsAreByteForByteWhatKafkaWrites(int records) {
        appendMany();
        for (int use = 1; use <= 3; use++) {
            identify(records, 1_000_003L * use);
            origin.is(77L * use, (short) use, 5_000 * use);
            ByteBuffer sealed = batch.seal(records, NOW, origin);
            assertThat(copy(sealed))
                    .isEqualTo(copy(kafkas(records, Compression.NONE, 77L * use, (short) use, 5_000 * use)));
            assertThat(sealed.remaining()).isEqualTo(batch.size(records));
        }
        origin.is(8, (short) 9, 10);
        assertThat(copy(batch.again(origin))).isEqualTo(copy(kafkas(records, Compression.NONE, 8, (short) 9, 10)));
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void kafkaReadsWhatEachCodecWrites(CompressionType type) throws IOException {
        appendMany();
        CompressedBatch compressed = new CompressedBatch(
                new CompressedBatch.Codec(Compression.of(type).build()));
        for (int use = 1; use <= 2; use++) {
            identify(RECORDS / use, use);
            check(compressed.seal(batch, RECORDS / use, NOW, origin), type, RECORDS / use, -1);
        }
        origin.is(6, (short) 1, 12);
        check(compressed.again(NOW, origin), type, RECORDS / 2, 6);
    }

    private void check(ByteBuffer sealed, CompressionType type, int records, long id) {
        List<MutableRecordBatch> batches = new ArrayList<>();
        MemoryRecords.readableRecords(ByteBuffer.wrap(copy(sealed))).batches().forEach(batches::add);
        assertThat(batches).hasSize(1);
        MutableRecordBatch only = batches.get(0);
        only.ensureValid();
        assertThat(only.compressionType()).isEqualTo(type);
        assertThat(only.producerId()).isEqualTo(id);
        int i = 0;
        for (Record record : only) {
            record.ensureValid();
            byte[] value = new byte[record.valueSize()];
            record.value().get(value);
            assertThat(value).isEqualTo(values.get(i));
            assertThat(record.offset()).isEqualTo(i);
            assertThat(record.timestamp()).isEqualTo(NOW);
            assertThat(record.hasKey()).isEqualTo(keys.get(i) != RecordBatch.NONE);
            i++;
        }
        assertThat(i).isEqualTo(records);
    }

    @Test
    void recordsOfAnotherBatchAreByteForByteThoseThatWereAppended() {
        appendMany();
        RecordBatch other = new RecordBatch(100, NAME);
        for (int i = 70; i < RECORDS; i++) {
            other.append(batch, i);
        }
        int records = RECORDS - 70;
        assertThat(other.contents(records)).isEqualTo(batch.contents(RECORDS) - batch.contents(70));
        for (int i = 0; i < records; i++) {
            other.identify(i, 0, i, -i);
            ByteBuffer.wrap(values.get(70 + i)).putInt(4, 0).putLong(8, i).putLong(16, -i);
        }
        List.of(keys, values, headers).forEach(all -> all.subList(0, 70).clear());
        origin.is(77, (short) 1, 5);
        assertThat(copy(other.seal(records, NOW, origin)))
                .isEqualTo(copy(kafkas(records, Compression.NONE, 77, (short) 1, 5)));
    }

    @Test
    void resendingABatchAllocatesNothing() {
        appendMany();
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 2_000; i++) {
            if (i == 1_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            for (int record = 0; record < RECORDS; record++) {
                batch.identify(record, 0, i, i);
            }
            origin.is(1, (short) 0, i);
            batch.seal(RECORDS, i, origin);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000 * 16L);
    }

    private static int crc(byte[]... pieces) {
        CRC32C crc = new CRC32C();
        for (byte[] piece : pieces) {
            crc.update(piece);
        }
        return (int) crc.getValue();
    }

    @Test
    void theCrcOfBothIsFoundFromThatOfTheBeginningAlone() {
        CompressedBatch.TailCrc unchanged = new CompressedBatch.TailCrc();
        for (int length : new int[] {0, 1, 2, 3, 31, 32, 1_000, 65_536, 1_000_003}) {
            byte[] tail = bytes(length);
            unchanged.is(crc(tail), length);
            for (int head = 0; head < 50; head += 7) {
                byte[] before = bytes(head);
                assertThat(unchanged.crcBehind(crc(before)))
                        .as("%d bytes before %d", head, length)
                        .isEqualTo(crc(before, tail));
            }
        }
    }
}
