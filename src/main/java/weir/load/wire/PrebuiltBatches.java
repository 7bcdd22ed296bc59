package weir.load.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.load.send.BatchAccumulator;
import weir.load.send.MessageBatch;
import weir.wire.RecordBatch;

/**
 * Buffers that are filled once, each with values of its own, and sent again and again: what changes of a record is its
 * identity, 20 bytes. Only for messages without keys whose values may be any; what is taken together goes to one partition.
 */
final class PrebuiltBatches implements BatchBuilder {
    /** The client reckons with so much more than compression seemed to need. */
    private static final double CAUTION = 1.05;

    private static final double MOST_GROWTH = 10;
    private static final int MOST_BYTES = 16 << 20;
    private static final long DUE_LIKE = 1_000_003;

    private final BatchAccumulator accumulator;
    private final PartitionQueues queues;
    private final BatchBufferPool buffers;
    private final ProducerSettings settings;
    private final LongSupplier wallMillis;
    private int largest;
    private int most;

    PrebuiltBatches(
            BatchAccumulator accumulator,
            PartitionQueues queues,
            BatchBufferPool buffers,
            ProducerSettings settings,
            LongSupplier wallMillis) {
        this.accumulator = accumulator;
        this.queues = queues;
        this.buffers = buffers;
        this.settings = settings;
        this.wallMillis = wallMillis;
        List<BatchBuffer> all = new ArrayList<>();
        int target = settings.batchBytes();
        for (int i = 0; i < buffers.most(); i++) {
            BatchBuffer buffer = buffers.take();
            fill(buffer.batch(), (long) i << 32, target);
            if (i == 0 && settings.compressed()) {
                // As the client does it: a batch is as large as it is when it travels.
                double grown = Math.min(MOST_GROWTH, 1 / (buffer.ratio() * CAUTION));
                target = (int) Math.min(MOST_BYTES, Math.max(1, grown) * target);
                fill(buffer.batch(), 1L << 31, target);
            }
            all.add(buffer);
        }
        all.forEach(buffers::free);
    }

    /** True when no message is larger than a request may be. */
    boolean fits() {
        return largest <= settings.requestBytes();
    }

    private void fill(RecordBatch batch, long first, int mostBytes) {
        long number = first;
        byte[] value = accumulator.values().next(number);
        while (batch.count() == 0
                || batch.size(batch.count()) + batch.cost(RecordBatch.NONE, value, RecordBatch.NONE) <= mostBytes) {
            // What stands there when it is sent is no easier to compress.
            Identity.write(value, accumulator.runTag(), accumulator.producer(), number, number * DUE_LIKE);
            int size = RecordBatch.HEADER_BYTES + batch.cost(RecordBatch.NONE, value, RecordBatch.NONE);
            largest = Math.max(largest, size);
            batch.append(RecordBatch.NONE, value, RecordBatch.NONE);
            value = accumulator.values().next(++number);
        }
    }

    @Override
    public int most() {
        if (buffers.free() > 0) {
            most = buffers.peek().batch().count();
        }
        return most;
    }

    @Override
    public boolean room() {
        return buffers.free() > 0 && queue() != null;
    }

    private @Nullable PartitionQueue queue() {
        return queues.next(accumulator.topic());
    }

    @Override
    public void pack(long nowNanos) {
        PartitionQueue queue = queue();
        if (queue == null) {
            throw new IllegalStateException("no room for a batch");
        }
        BatchBuffer buffer = buffers.take();
        MessageBatch messages = buffer.messages;
        accumulator.take(messages, nowNanos);
        RecordBatch batch = buffer.batch();
        buffer.takenNanos = nowNanos;
        if (messages.count() == batch.count() && queue.knows(messages)) {
            queue.addUnnamed(buffer, wallMillis.getAsLong());
        } else {
            for (int i = 0; i < messages.count(); i++) {
                buffer.identify(i, messages.sequence(i), messages.dueNanos(i));
            }
            queue.add(buffer, messages.count(), wallMillis.getAsLong());
        }
        accumulator.departed(messages, buffer.contents());
    }
}
