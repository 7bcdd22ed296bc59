package weir.load.wire;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import weir.wire.Call;
import weir.wire.RecordBatch;

/** The sequence numbers of records that an engine's senders wrote, by producer id and partition, for its receivers. */
final class ProducerSequences {
    /** The limit of rows for one sender, about 15 MB. */
    private static final int MOST_ROWS = 1 << 18;

    private static final int LEAST_ROWS = 1 << 10;
    /** The limit of batches with due times for one sender, about 3 MB. */
    private static final int MOST_DATED = 1 << 16;

    private static final int MOST_DATED_EACH = 1 << 12;
    private static final int LEAST_DATED_EACH = 1 << 7;

    private final RecordAudience audience;
    private final Map<Long, SequenceNumbers[]> byProducer = new ConcurrentHashMap<>();

    ProducerSequences(RecordAudience audience) {
        this.audience = audience;
    }

    /** Creates the numbers for each partition of a sender. Only compressed, numbered batches omit identities. */
    SequenceNumbers[] of(Call.Producer producer, boolean compressed, int partitions) {
        boolean named = producer.id() == RecordBatch.Origin.NO_PRODUCER || !compressed;
        int rows = Math.max(LEAST_ROWS, MOST_ROWS / partitions);
        int dated = Math.max(LEAST_DATED_EACH, Math.min(MOST_DATED_EACH, MOST_DATED / partitions));
        SequenceNumbers[] each = new SequenceNumbers[partitions];
        Arrays.setAll(each, i -> new SequenceNumbers(named ? RecordAudience.ANYONE : audience, rows, dated));
        if (!named) {
            byProducer.put(producer.id(), each);
        }
        return each;
    }

    /** Returns null for the id of another engine's sender, and for an added partition. */
    @Nullable SequenceNumbers find(long producerId, int partition) {
        SequenceNumbers[] each = byProducer.get(producerId);
        return each == null || partition >= each.length ? null : each[partition];
    }
}
