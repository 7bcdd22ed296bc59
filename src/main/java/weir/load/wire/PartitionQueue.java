package weir.load.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.load.send.MessageBatch;
import weir.wire.Call;
import weir.wire.RecordBatch;
import weir.wire.TopicName;

/**
 * The batches of one sender for one partition, in the order of sending, until they are acked or given up.
 *
 * <p>An idempotent producer numbers its records in each partition. If the sender gives up a batch, the broker accepts
 * no later number. So the queue waits for all answers about the old numbers. Then it gives the remaining batches new
 * numbers with the producer's next epoch. The Java client does the same.
 */
final class PartitionQueue extends LedPartition {
    private final boolean idempotent;
    private final SequenceNumbers numbering;
    private final RecordBatch.Origin origin = new RecordBatch.Origin();
    private final long producerId;
    private short epoch;
    private long nextSequence;
    final List<BatchBuffer> buffers = new ArrayList<>();
    private int unanswered;
    private boolean broken;
    boolean unresolved;

    /** {@code producer} has the id {@link RecordBatch.Origin#NO_PRODUCER} without idempotence. */
    PartitionQueue(
            int index, LoadPartition partition, TopicName topic, Call.Producer producer, SequenceNumbers numbering) {
        super(index, partition, topic);
        this.numbering = numbering;
        this.producerId = producer.id();
        this.epoch = producer.epoch();
        this.idempotent = producerId != RecordBatch.Origin.NO_PRODUCER;
    }

    boolean knows(MessageBatch messages) {
        return numbering.takes(messages);
    }

    void add(BatchBuffer buffer, int records, long timeMillis) {
        number(buffer, records);
        buffer.seal(records, timeMillis, origin);
        buffers.add(buffer);
    }

    void addUnnamed(BatchBuffer buffer, long timeMillis) {
        numbering.add(epoch, nextSequence, buffer.messages);
        number(buffer, buffer.messages.count);
        buffer.sealUnnamed(timeMillis, origin);
        buffers.add(buffer);
    }

    private void number(BatchBuffer buffer, int records) {
        buffer.sequence = nextSequence;
        nextSequence += records;
        origin(buffer.sequence);
    }

    private void origin(long sequence) {
        if (idempotent) {
            origin.is(producerId, epoch, sequence(sequence));
        }
    }

    /** Moves the second half of a batch to {@code rest}, the next batch. All records keep their numbers. */
    void halve(BatchBuffer buffer, BatchBuffer rest) {
        int half = buffer.records / 2;
        rest.sequence = buffer.sequence + half;
        origin(rest.sequence);
        rest.seal(buffer, half, origin);
        origin(buffer.sequence);
        buffer.seal(half, origin);
        // The batch counts as sent: while numbers are in doubt, unsent batches wait for all sent batches.
        buffer.attempts = idempotent ? 1 : 0;
        rest.attempts = buffer.attempts;
        buffers.add(buffers.indexOf(buffer) + 1, rest);
    }

    /** Wraps a number as in Kafka: 0 follows 2^31 - 1. */
    static int sequence(long unwrapped) {
        return (int) (unwrapped & Integer.MAX_VALUE);
    }

    /** Returns the next batch to send; null without a batch, or if the sender must first wait for an answer. */
    @Nullable BatchBuffer ready(long nowNanos, int inFlight) {
        if (unanswered >= inFlight) {
            return null;
        }
        for (int i = 0; i < buffers.size(); i++) {
            BatchBuffer buffer = buffers.get(i);
            // Before new numbers, the queue repeats only batches that may be written, to learn their outcome.
            if (buffer.onItsWay || (broken && !buffer.uncertain)) {
                continue;
            }
            boolean waits = buffer.notBeforeNanos > nowNanos || (unresolved && buffer.attempts == 0);
            return waits ? null : buffer;
        }
        return null;
    }

    void sent(BatchBuffer buffer) {
        buffer.onItsWay = true;
        buffer.attempts++;
        unanswered++;
    }

    void returned(BatchBuffer buffer, boolean uncertain) {
        buffer.onItsWay = false;
        buffer.uncertain |= uncertain;
        unanswered--;
    }

    void gap(boolean certain) {
        broken |= idempotent && certain;
        unresolved |= idempotent && !certain;
    }

    void recover() {
        if (!(broken || unresolved) || unanswered > 0) {
            return;
        }
        for (BatchBuffer buffer : buffers) {
            if (buffer.uncertain || (!broken && buffer.attempts > 0)) {
                return;
            }
        }
        if (epoch == Short.MAX_VALUE) {
            throw new IllegalStateException("the producer of " + partition + " has no producer epoch left");
        }
        epoch++;
        nextSequence = 0;
        broken = false;
        unresolved = false;
        for (BatchBuffer buffer : buffers) {
            if (buffer.unnamed) {
                numbering.add(epoch, nextSequence, buffer.messages);
            }
            number(buffer, buffer.records);
            buffer.seal(origin);
        }
    }
}
