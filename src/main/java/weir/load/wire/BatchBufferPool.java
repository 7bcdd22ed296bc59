package weir.load.wire;

import java.util.ArrayDeque;
import java.util.Deque;
import weir.wire.CompressedBatch;

/** The free buffers of one sender. The pool limits the number of the sender's buffers. */
final class BatchBufferPool {
    /** The default of {@code buffer.memory}, in bytes. */
    private static final long MOST_BYTES = 32 << 20;

    private static final long LEAST_BYTES = 4 << 10;

    private final ProducerSettings settings;
    private final CompressedBatch.Codec codec;
    private final Deque<BatchBuffer> free = new ArrayDeque<>();
    /** The buffers for halves, because prebuilt batches must stay unchanged. */
    private final Deque<BatchBuffer> spare = new ArrayDeque<>();

    final int most;
    private int made;

    BatchBufferPool(ProducerSettings settings, int queues) {
        this.settings = settings;
        this.codec = new CompressedBatch.Codec(settings.compression());
        long each = Math.max(LEAST_BYTES, settings.batchBytes()) * (settings.compressed() ? 3 : 1);
        long memory = Math.max(2, MOST_BYTES / each);
        this.most = (int) Math.min((long) queues * settings.inFlight(), memory);
    }

    int free() {
        return free.size() + Math.max(0, most - made);
    }

    BatchBuffer peek() {
        if (free.isEmpty()) {
            made++;
            free.push(make(settings.batchBytes(), false));
        }
        return free.element();
    }

    BatchBuffer take() {
        peek();
        return free.remove();
    }

    private BatchBuffer make(int bytes, boolean forHalves) {
        return new BatchBuffer(bytes, settings.compressed() ? codec : null, forHalves);
    }

    BatchBuffer takeForHalf(BatchBuffer whole) {
        return spare.isEmpty() ? make(whole.rawSize() / 2, true) : spare.remove();
    }

    void free(BatchBuffer buffer) {
        (buffer.forHalves ? spare : free).add(buffer);
    }
}
