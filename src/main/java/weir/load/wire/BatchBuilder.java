package weir.load.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.send.DueQueue;
import weir.load.send.MessageBatch;
import weir.load.send.Outbox;
import weir.load.send.Outcomes;
import weir.wire.RecordBatch;

/** A maker of record batches from due messages, owned by the sender's thread. */
abstract class BatchBuilder {
    final Outbox outbox;
    final DueQueue dues;
    final PartitionQueues queues;
    final BatchBufferPool buffers;
    final ProducerSettings settings;
    final LongSupplier wallMillis;

    private BatchBuilder(WireSender sender, Outbox outbox) {
        this.outbox = outbox;
        this.dues = outbox.dues();
        this.queues = sender.queues;
        this.buffers = sender.buffers;
        this.settings = sender.settings;
        this.wallMillis = sender.wallMillis;
    }

    static BatchBuilder of(WireSender sender, Outbox outbox) {
        if (outbox.values().interchangeable() && !outbox.keyed()) {
            PrebuiltBatches ahead = new PrebuiltBatches(sender, outbox);
            if (ahead.largest <= ahead.settings.requestBytes()) {
                return ahead;
            }
        }
        return new FreshBatches(sender, outbox);
    }

    abstract int most();

    abstract boolean room();

    abstract void pack(long nowNanos);

    /**
     * Batches that are written just before they leave, for keys, small values and values of a file. Keys choose
     * partitions as in the Java client. Batches without keys go to the partitions in turn.
     */
    private static final class FreshBatches extends BatchBuilder {
        private static final int MOST_MESSAGES = 1 << 16;
        private static final int FIRST_GUESS_BYTES = 1_000;

        private final Outcomes outcomes;
        private final MessageBatch whole = new MessageBatch();
        private final MessageBatch refused = new MessageBatch();
        private final List<@Nullable BatchBuffer> open = new ArrayList<>();
        private final List<PartitionQueue> opened = new ArrayList<>();
        private long packedBytes = FIRST_GUESS_BYTES;
        private long packed = 1;

        FreshBatches(WireSender sender, Outbox outbox) {
            super(sender, outbox);
            this.outcomes = outbox.outcomes();
        }

        @Override
        int most() {
            long each = Math.max(1, packedBytes / packed);
            long fit = Math.max(1, settings.batchBytes() / each);
            int batches = outbox.keyed() ? Math.max(1, Math.min(buffers.free(), queues.of(dues.topic()))) : 1;
            return (int) Math.min(MOST_MESSAGES, fit * batches);
        }

        @Override
        boolean room() {
            return buffers.free() > 0 && (outbox.keyed() || queues.next(dues.topic()) != null);
        }

        @Override
        void pack(long nowNanos) {
            dues.take(whole, nowNanos);
            while (open.size() < queues.all.size()) {
                open.add(null);
            }
            refused.begin(whole);
            PartitionQueue sticky = another(whole.topic);
            long bytes = 0;
            int largest = 0;
            for (int i = 0; i < whole.count; i++) {
                Message message = outbox.message(whole, i);
                bytes += message.bytes();
                boolean keyed = message.key != KeySource.NONE;
                byte[] key = keyed ? message.key : RecordBatch.NONE;
                byte[] header = message.header ? message.identity : RecordBatch.NONE;
                PartitionQueue queue = keyed ? queues.of(whole.topic, key) : sticky;
                BatchBuffer buffer = open.get(queue.index);
                if (buffer != null && buffer.sizeWith(key, message.value, header) > settings.batchBytes()) {
                    close(queue);
                    buffer = null;
                    queue = keyed ? queue : another(whole.topic);
                    sticky = keyed ? sticky : queue;
                }
                buffer = buffer == null ? open(queue, nowNanos) : buffer;
                int size = buffer.sizeWith(key, message.value, header);
                if (buffer.batch.count() == 0 && size > settings.requestBytes()) {
                    refused.add(whole, i);
                    largest = Math.max(largest, size);
                    continue;
                }
                buffer.batch.append(key, message.value, header);
                buffer.messages.add(whole, i);
            }
            packed += whole.count;
            packedBytes += bytes;
            for (int i = 0; i < opened.size(); i++) {
                close(opened.get(i));
            }
            opened.clear();
            dues.departed(whole, bytes);
            if (refused.count > 0) {
                outcomes.failed(refused, tooLarge(largest));
            }
        }

        private PartitionQueue another(int topic) {
            PartitionQueue next = queues.next(topic);
            return next == null ? queues.of(topic, KeySource.NONE) : next;
        }

        private BatchBuffer open(PartitionQueue queue, long nowNanos) {
            BatchBuffer buffer = buffers.take();
            buffer.batch.clear();
            buffer.messages.begin(whole);
            buffer.takenNanos = nowNanos;
            open.set(queue.index, buffer);
            opened.add(queue);
            return buffer;
        }

        private void close(PartitionQueue queue) {
            BatchBuffer buffer = open.set(queue.index, null);
            if (buffer != null && buffer.batch.count() > 0) {
                queue.add(buffer, buffer.batch.count(), wallMillis.getAsLong());
            } else if (buffer != null) {
                buffers.free(buffer);
            }
        }

        private RecordTooLargeException tooLarge(int size) {
            return new RecordTooLargeException("The message is " + size + " bytes when serialized which is larger than "
                    + settings.requestBytes() + ", which is the value of the max.request.size configuration.");
        }
    }

    /**
     * Batches that are filled once, each with its own values, and sent repeatedly. Only the 20 bytes of identity change
     * in each record. They require messages without keys and interchangeable values. Messages taken together go to one
     * partition.
     */
    private static final class PrebuiltBatches extends BatchBuilder {
        /** The factor between the client's size estimate and the measured compression. */
        private static final double CAUTION = 1.05;

        private static final double MOST_GROWTH = 10;
        private static final int MOST_BYTES = 16 << 20;
        private int largest;
        private int most;

        PrebuiltBatches(WireSender sender, Outbox outbox) {
            super(sender, outbox);
            List<BatchBuffer> all = new ArrayList<>();
            int target = settings.batchBytes();
            for (int i = 0; i < buffers.most; i++) {
                BatchBuffer buffer = buffers.take();
                fill(buffer.batch, (long) i << 32, target);
                if (i == 0 && settings.compressed()) {
                    // As in the client, the limit applies to the compressed batch.
                    double grown = Math.min(MOST_GROWTH, 1 / (buffer.ratio() * CAUTION));
                    target = (int) Math.min(MOST_BYTES, Math.max(1, grown) * target);
                    fill(buffer.batch, 1L << 31, target);
                }
                all.add(buffer);
            }
            all.forEach(buffers::free);
        }

        private void fill(RecordBatch batch, long first, int mostBytes) {
            Outbox.Context of = outbox.context;
            long number = first;
            byte[] value = outbox.values().next(number);
            while (batch.count() == 0
                    || batch.size(batch.count()) + batch.cost(RecordBatch.NONE, value, RecordBatch.NONE) <= mostBytes) {
                // Real identities compress no better than these.
                Identity.write(value, of.runTag(), of.producer(), number, number * BatchBuffer.DUE_LIKE);
                int size = RecordBatch.HEADER_BYTES + batch.cost(RecordBatch.NONE, value, RecordBatch.NONE);
                largest = Math.max(largest, size);
                batch.append(RecordBatch.NONE, value, RecordBatch.NONE);
                value = outbox.values().next(++number);
            }
        }

        @Override
        int most() {
            if (buffers.free() > 0) {
                most = buffers.peek().batch.count();
            }
            return most;
        }

        @Override
        boolean room() {
            return buffers.free() > 0 && queues.next(dues.topic()) != null;
        }

        @Override
        void pack(long nowNanos) {
            PartitionQueue queue = queues.next(dues.topic());
            if (queue == null) {
                throw new IllegalStateException("no room for a batch");
            }
            BatchBuffer buffer = buffers.take();
            MessageBatch messages = buffer.messages;
            dues.take(messages, nowNanos);
            RecordBatch batch = buffer.batch;
            buffer.takenNanos = nowNanos;
            if (messages.count == batch.count() && queue.knows(messages)) {
                queue.addUnnamed(buffer, wallMillis.getAsLong());
            } else {
                for (int i = 0; i < messages.count; i++) {
                    buffer.identify(i, messages.sequence(i), messages.dueNanos(i));
                }
                queue.add(buffer, messages.count, wallMillis.getAsLong());
            }
            dues.departed(messages, buffer.contents());
        }
    }
}
