package weir.wire;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;

/**
 * The aborted transactions of one partition in a fetch response. The class checks whether a batch belongs to one of
 * them. A transaction ends at the marker of its producer.
 */
public final class AbortedTransactions {
    static final int LEAST_BYTES = 16;

    private static final short ABORT = 0;
    private static final int MARK_BYTES = 4;

    private final ByteCursor cursor = new ByteCursor("aborted transactions");
    private final Queue<Aborted> coming = new PriorityQueue<>(Comparator.comparingLong(Aborted::firstOffset));
    private final Set<Long> open = new HashSet<>();

    private record Aborted(long producerId, long firstOffset) {}

    public void begin(FetchResponse response) throws IOException {
        coming.clear();
        open.clear();
        cursor.begin(response.bytes(), response.abortedAt, response.recordsAt);
        for (int i = 0; i < response.aborted; i++) {
            coming.add(new Aborted(cursor.int64(), cursor.int64()));
            cursor.skipTagged(response.flexible);
        }
    }

    /** True if the reader must skip the batch. Called for each batch, in order. It moves {@code records}. */
    public boolean contain(Batches batch, RecordCursor records) throws IOException {
        while (!coming.isEmpty() && coming.element().firstOffset < batch.nextOffset()) {
            open.add(coming.remove().producerId);
        }
        if (open.isEmpty()) {
            return false;
        }
        if (batch.control()) {
            if (aborts(batch, records)) {
                open.remove(batch.producerId());
            }
            return false;
        }
        return batch.transactional() && open.contains(batch.producerId());
    }

    private static boolean aborts(Batches batch, RecordCursor records) throws IOException {
        records.begin(batch);
        // A marker has a version and a kind.
        return records.next()
                && records.keySize() >= MARK_BYTES
                && records.bytes().getShort(records.keyAt + Short.BYTES) == ABORT;
    }
}
