package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

/**
 * Answers that were cut off, flipped, spliced or made up. Each is read or causes an {@link IOException}, at a cost in
 * proportion to its size.
 */
class HostileBytesTest {
    private static final int CASES = 50_000;
    /** Mean bytes of one case. A cursor that trusts a length would need thousands of times as many. */
    private static final long MOST_BYTES = 64 << 10;

    private static final int MOST_RECORD_BYTES = 1 << 20;

    private final SplittableRandom random = new SplittableRandom(20);
    private final FetchResponse response = new FetchResponse();
    private final Batches batches = new Batches();
    private final RecordCursor records = new RecordCursor(Written.HEADER, MOST_RECORD_BYTES);
    private final AbortedTransactions aborted = new AbortedTransactions();
    private int understood;
    private long seen;

    @Test
    void whateverIsSentIsReadOrRefused() throws IOException {
        List<byte[]> whole = new ArrayList<>();
        List<Short> versions = new ArrayList<>();
        for (short version = Api.FETCH.lowest; version <= Api.FETCH.highest; version++) {
            // Opening a codec costs more than all the rest.
            for (int codec : new int[] {0, 0, 0, version % 5}) {
                whole.add(answer(version, codec));
                versions.add(version);
            }
        }
        for (int i = 0; i < whole.size(); i++) {
            read(ByteBuffer.wrap(whole.get(i)), versions.get(i), true);
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        understood = 0;
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            int which = random.nextInt(whole.size());
            byte[] bytes = damaged(whole.get(which), whole.get(random.nextInt(whole.size())));
            try {
                // The CRC finds most damage. The code behind it must work without the CRC.
                read(ByteBuffer.wrap(bytes), versions.get(which), i % 8 == 0);
            } catch (IOException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException | Error e) {
                fail("case " + i + " of version " + versions.get(which), e);
            }
        }
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / CASES;
        assertThat(each).isLessThan(MOST_BYTES);
        assertThat(refused).isGreaterThan(CASES / 4);
        assertThat(understood).isGreaterThan(CASES / 10);
        assertThat(seen).isNotZero();
    }

    private byte[] answer(short version, int codec) {
        Written log = new Written(random);
        log.batch(codec, 3);
        log.batch(0, 2, 5);
        log.mark(5, false);
        List<FetchResponseData.PartitionData> partitions = new ArrayList<>();
        for (int partition = 0; partition < 2; partition++) {
            partitions.add(new FetchResponseData.PartitionData()
                    .setPartitionIndex(partition)
                    .setAbortedTransactions(List.of(new FetchResponseData.AbortedTransaction()
                            .setProducerId(5)
                            .setFirstOffset(1)))
                    .setRecords(MemoryRecords.readableRecords(log.whole())));
        }
        FetchResponseData data = new FetchResponseData()
                .setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                        .setTopic("t")
                        .setTopicId(new Uuid(1, 2))
                        .setPartitions(partitions)));
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(data, version).buffer();
        byte[] answer = new byte[bytes.remaining()];
        bytes.get(answer);
        return answer;
    }

    private byte[] damaged(byte[] whole, byte[] other) {
        byte[] bytes = whole.clone();
        switch (random.nextInt(6)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> {
                for (int flips = random.nextInt(1, 5); flips > 0; flips--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 2 -> {
                int from = random.nextInt(Math.min(bytes.length, other.length));
                System.arraycopy(other, from, bytes, from, Math.min(bytes.length, other.length) - from);
            }
            case 3 -> {
                int from = random.nextInt(bytes.length);
                int to = random.nextInt(bytes.length);
                System.arraycopy(whole, from, bytes, to, bytes.length - Math.max(from, to));
            }
            case 4 -> {
                // Large and negative lengths at places of lengths.
                int at = random.nextInt(bytes.length - 4);
                int[] evil = {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0x7F, 1 << 28, random.nextInt()};
                ByteBuffer.wrap(bytes).putInt(at, evil[random.nextInt(evil.length)]);
            }
            default -> {
                int from = random.nextInt(bytes.length);
                for (int i = from; i < Math.min(bytes.length, from + 16); i++) {
                    bytes[i] = (byte) random.nextInt();
                }
            }
        }
        return bytes;
    }

    private void read(ByteBuffer bytes, short version, boolean check) throws IOException {
        response.begin(bytes, version);
        while (response.next()) {
            aborted.begin(response);
            batches.begin(bytes, response.recordsAt, response.recordsAt + response.recordsBytes);
            while (batches.next()) {
                if (check) {
                    batches.check();
                }
                if (aborted.contain(batches, records)) {
                    continue;
                }
                records.begin(batches);
                while (records.next()) {
                    look();
                }
            }
        }
        understood++;
    }

    private void look() {
        if (records.hasHeader() && records.headerSize > 0) {
            seen += records.bytes().get(records.headerAt + records.headerSize - 1);
        }
        if (records.valueSize > 0) {
            seen += records.bytes().get(records.valueAt + records.valueSize - 1);
        }
    }
}
