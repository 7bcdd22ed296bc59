package weir.load.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import weir.load.send.MessageBatch;
import weir.wire.Call;
import weir.wire.RecordBatch;
import weir.wire.TopicName;

/**
 * The batches of one sender for one partition, in the order in which the broker is to write them. They leave it when they
 * are acknowledged or given up.
 *
 * <p>An idempotent producer numbers its records in each partition. When a batch is given up there is a gap, and the broker
 * takes nothing behind it: then what is left is numbered afresh under the producer's next epoch, as the Java client does,
 * once no answer about the old numbers is outstanding.
 */
final class PartitionQueue {
    private static final BatchBuffer[] NOTHING = {};

    final int index;
    private final LoadPartition partition;
    final TopicName topic;
    private final boolean idempotent;
    private final SequenceNumbers numbering;
    private final RecordBatch.Origin origin = new RecordBatch.Origin();
    private final long producerId;
    private short epoch;
    private long nextSequence;
    private BatchBuffer[] buffers = NOTHING;
    int size;
    private int unanswered;
    private boolean broken;
    /** A batch was given up of which nobody knows whether it was written. */
    boolean unresolved;

    private @Nullable BrokerConnection broker;

    /** {@code producer} has the id {@link RecordBatch.Origin#NOBODY} without idempotence. */
    PartitionQueue(
            int index, LoadPartition partition, TopicName topic, Call.Producer producer, SequenceNumbers numbering) {
        this.index = index;
        this.partition = partition;
        this.topic = topic;
        this.numbering = numbering;
        this.producerId = producer.id();
        this.epoch = producer.epoch();
        this.idempotent = producerId != RecordBatch.Origin.NOBODY;
    }

    LoadPartition partition() {
        return partition;
    }

    @Nullable BrokerConnection broker() {
        return broker;
    }

    void broker(@Nullable BrokerConnection next) {
        broker = next;
    }

    BatchBuffer buffer(int place) {
        return buffers[place];
    }

    /** True when its messages need not say who they are, for {@link #addUnnamed}. */
    boolean knows(MessageBatch messages) {
        return numbering.takes(messages);
    }

    void add(BatchBuffer buffer, int records, long timeMillis) {
        number(buffer, records);
        buffer.seal(records, timeMillis, origin);
        insert(size, buffer);
    }

    void addUnnamed(BatchBuffer buffer, long timeMillis) {
        numbering.add(epoch, nextSequence, buffer.messages);
        number(buffer, buffer.messages.count);
        buffer.sealUnnamed(timeMillis, origin);
        insert(size, buffer);
    }

    private void insert(int place, BatchBuffer buffer) {
        if (size == buffers.length) {
            buffers = Arrays.copyOf(buffers, Math.max(8, 2 * size));
        }
        System.arraycopy(buffers, place, buffers, place + 1, size - place);
        buffers[place] = buffer;
        size++;
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

    /** Its second half becomes a batch of its own, {@code rest}, right behind it; all records keep their numbers. */
    void halve(BatchBuffer buffer, BatchBuffer rest) {
        int half = buffer.records / 2;
        rest.sequence = buffer.sequence + half;
        origin(rest.sequence);
        rest.seal(buffer, half, origin);
        origin(buffer.sequence);
        buffer.seal(half, origin);
        // While the numbers are in doubt, what was never sent waits for all that was.
        buffer.attempts = idempotent ? 1 : 0;
        rest.attempts = buffer.attempts;
        insert(place(buffer) + 1, rest);
    }

    /** Kafka's numbers start again from 0 behind 2^31 - 1. */
    static int sequence(long unwrapped) {
        return (int) (unwrapped & Integer.MAX_VALUE);
    }

    /** The next batch to send, null when there is none or another one has to be answered first. */
    @Nullable BatchBuffer ready(long nowNanos, int inFlight) {
        if (unanswered >= inFlight) {
            return null;
        }
        for (int i = 0; i < size; i++) {
            BatchBuffer buffer = buffers[i];
            // Before the numbers are mended, what became of those that may be written has to be found out.
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

    /** It is not on its way any more; {@code uncertain} when there is no answer. */
    void returned(BatchBuffer buffer, boolean uncertain) {
        buffer.onItsWay = false;
        buffer.uncertain |= uncertain;
        unanswered--;
    }

    boolean first(BatchBuffer buffer) {
        return buffers[0] == buffer;
    }

    void remove(BatchBuffer buffer) {
        int at = place(buffer);
        System.arraycopy(buffers, at + 1, buffers, at, size - at - 1);
        size--;
    }

    private int place(BatchBuffer buffer) {
        int at = 0;
        while (buffers[at] != buffer) {
            at++;
        }
        return at;
    }

    /** A batch was given up, or refused for its number. */
    void gap(boolean certain) {
        broken |= idempotent && certain;
        unresolved |= idempotent && !certain;
    }

    /** Numbers what is left afresh if that must be and may be. */
    void mend() {
        if (!(broken || unresolved) || unanswered > 0) {
            return;
        }
        for (int i = 0; i < size; i++) {
            if (buffers[i].uncertain || (!broken && buffers[i].attempts > 0)) {
                return;
            }
        }
        if (epoch == Short.MAX_VALUE) {
            throw new IllegalStateException("the producer of " + partition + " has no epoch left");
        }
        epoch++;
        nextSequence = 0;
        broken = false;
        unresolved = false;
        for (int i = 0; i < size; i++) {
            if (buffers[i].unnamed) {
                numbering.add(epoch, nextSequence, buffers[i].messages);
            }
            number(buffers[i], buffers[i].records);
            buffers[i].seal(origin);
        }
    }
}
