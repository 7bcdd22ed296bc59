package weir.load.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.send.BatchAccumulator;
import weir.load.send.MessageBatch;
import weir.load.send.Outcomes;
import weir.wire.RecordBatch;

/**
 * Batches whose messages are written when they leave: keys, small values, values of a file. Those with keys are dealt out
 * to partitions as the Java client does it; those without go, a record batch at a time, to one after the other.
 */
final class FreshBatches implements BatchBuilder {
    private static final int MOST_MESSAGES = 1 << 16;
    private static final int FIRST_GUESS_BYTES = 1_000;

    private final BatchAccumulator accumulator;
    private final Outcomes outcomes;
    private final PartitionQueues queues;
    private final BatchBufferPool buffers;
    private final ProducerSettings settings;
    private final LongSupplier wallMillis;
    private final MessageBatch whole = new MessageBatch();
    private final MessageBatch refused = new MessageBatch();
    private final List<@Nullable BatchBuffer> open = new ArrayList<>();
    private final List<PartitionQueue> opened = new ArrayList<>();
    private long packedBytes = FIRST_GUESS_BYTES;
    private long packed = 1;

    FreshBatches(
            BatchAccumulator accumulator,
            Outcomes outcomes,
            PartitionQueues queues,
            BatchBufferPool buffers,
            ProducerSettings settings,
            LongSupplier wallMillis) {
        this.accumulator = accumulator;
        this.outcomes = outcomes;
        this.queues = queues;
        this.buffers = buffers;
        this.settings = settings;
        this.wallMillis = wallMillis;
    }

    @Override
    public int most() {
        long each = Math.max(1, packedBytes / packed);
        long fit = Math.max(1, settings.batchBytes() / each);
        int batches = accumulator.keyed() ? Math.max(1, Math.min(buffers.free(), queues.of(accumulator.topic()))) : 1;
        return (int) Math.min(MOST_MESSAGES, fit * batches);
    }

    @Override
    public boolean room() {
        return buffers.free() > 0 && (accumulator.keyed() || queues.next(accumulator.topic()) != null);
    }

    @Override
    public void pack(long nowNanos) {
        accumulator.take(whole, nowNanos);
        while (open.size() < queues.all().size()) {
            open.add(null);
        }
        refused.begin(whole);
        PartitionQueue sticky = another(whole.topic());
        long bytes = 0;
        int largest = 0;
        for (int i = 0; i < whole.count(); i++) {
            Message message = accumulator.message(whole, i);
            bytes += message.bytes();
            boolean keyed = message.key() != KeySource.NONE;
            byte[] key = keyed ? message.key() : RecordBatch.NONE;
            byte[] header = message.header() ? message.identity() : RecordBatch.NONE;
            PartitionQueue queue = keyed ? queues.of(whole.topic(), key) : sticky;
            BatchBuffer buffer = open.get(queue.index());
            if (buffer != null && buffer.sizeWith(key, message.value(), header) > settings.batchBytes()) {
                close(queue);
                buffer = null;
                queue = keyed ? queue : another(whole.topic());
                sticky = keyed ? sticky : queue;
            }
            buffer = buffer == null ? open(queue, nowNanos) : buffer;
            int size = buffer.sizeWith(key, message.value(), header);
            if (buffer.batch().count() == 0 && size > settings.requestBytes()) {
                refused.add(whole, i);
                largest = Math.max(largest, size);
                continue;
            }
            buffer.batch().append(key, message.value(), header);
            buffer.messages.add(whole, i);
        }
        packed += whole.count();
        packedBytes += bytes;
        for (int i = 0; i < opened.size(); i++) {
            close(opened.get(i));
        }
        opened.clear();
        accumulator.departed(whole, bytes);
        if (refused.count() > 0) {
            outcomes.failed(refused, tooLarge(largest));
        }
    }

    private PartitionQueue another(int topic) {
        PartitionQueue next = queues.next(topic);
        return next == null ? queues.of(topic, KeySource.NONE) : next;
    }

    private BatchBuffer open(PartitionQueue queue, long nowNanos) {
        BatchBuffer buffer = buffers.take();
        buffer.batch().clear();
        buffer.messages.begin(whole);
        buffer.takenNanos = nowNanos;
        open.set(queue.index(), buffer);
        opened.add(queue);
        return buffer;
    }

    private void close(PartitionQueue queue) {
        BatchBuffer buffer = open.set(queue.index(), null);
        if (buffer != null && buffer.batch().count() > 0) {
            queue.add(buffer, buffer.batch().count(), wallMillis.getAsLong());
        } else if (buffer != null) {
            buffers.free(buffer);
        }
    }

    private RecordTooLargeException tooLarge(int size) {
        return new RecordTooLargeException("The message is " + size + " bytes when serialized which is larger than "
                + settings.requestBytes() + ", which is the value of the max.request.size configuration.");
    }
}
