package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.KnownToWork;

class RecordCursorTest {
    private static final int CODECS = 5;

    private final SplittableRandom random = new SplittableRandom(3);
    private final Written written = new Written(random);

    @Test
    void whatKafkaWritesIsRead() throws IOException {
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
    void aRecordLargerThanTheWindowIsReadAndOneLargerThanAllowedIsRefused() throws IOException {
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
    void whatABatchSaysOfItselfIsRead() throws IOException {
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
        // The last one was cut off.
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
}
