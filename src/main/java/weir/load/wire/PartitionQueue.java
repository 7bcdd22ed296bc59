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

    private final int index;
    private final LoadPartition partition;
    private final TopicName topic;
    private final boolean idempotent;
    private final SequenceNumbers numbering;
    private final RecordBatch.Origin origin = new RecordBatch.Origin();
    private final long producerId;
    private short epoch;
    private long nextSequence;
    private BatchBuffer[] slots = NOTHING;
    private int size;
    private int unanswered;
    /** The numbers have a gap for sure. */
    private boolean broken;
    /** A batch was given up of which nobody knows whether it was written. */
    private boolean unresolved;

    private @Nullable BrokerConnection line;

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

    int index() {
        return index;
    }

    LoadPartition partition() {
        return partition;
    }

    TopicName topic() {
        return topic;
    }

    /** Where it leads, if anybody leads it. */
    @Nullable BrokerConnection line() {
        return line;
    }

    void line(@Nullable BrokerConnection next) {
        line = next;
    }

    int size() {
        return size;
    }

    BatchBuffer slot(int place) {
        return slots[place];
    }

    /** True when its messages need not say who they are, for {@link #addUnnamed}. */
    boolean knows(MessageBatch lot) {
        return numbering.takes(lot);
    }

    void add(BatchBuffer slot, int records, long timeMillis) {
        number(slot, records);
        slot.seal(records, timeMillis, origin);
        insert(size, slot);
    }

    /** All records of a slot, compressed ahead. */
    void addUnnamed(BatchBuffer slot, long timeMillis) {
        numbering.add(epoch, nextSequence, slot.lot);
        number(slot, slot.lot.count());
        slot.sealUnnamed(timeMillis, origin);
        insert(size, slot);
    }

    private void insert(int place, BatchBuffer slot) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, Math.max(8, 2 * size));
        }
        System.arraycopy(slots, place, slots, place + 1, size - place);
        slots[place] = slot;
        size++;
    }

    private void number(BatchBuffer slot, int records) {
        slot.sequence = nextSequence;
        nextSequence += records;
        origin(slot.sequence);
    }

    private void origin(long sequence) {
        if (idempotent) {
            origin.is(producerId, epoch, sequence(sequence));
        }
    }

    /** Its second half becomes a batch of its own, {@code rest}, right behind it; all records keep their numbers. */
    void halve(BatchBuffer slot, BatchBuffer rest) {
        int half = slot.records() / 2;
        rest.sequence = slot.sequence + half;
        origin(rest.sequence);
        rest.seal(slot, half, origin);
        origin(slot.sequence);
        slot.seal(half, origin);
        // While the numbers are in doubt, what was never sent waits for all that was.
        slot.attempts = idempotent ? 1 : 0;
        rest.attempts = slot.attempts;
        insert(place(slot) + 1, rest);
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
            BatchBuffer slot = slots[i];
            // Before the numbers are mended, what became of those that may be written has to be found out.
            if (slot.onItsWay || (broken && !slot.uncertain)) {
                continue;
            }
            boolean waits = slot.notBeforeNanos > nowNanos || (unresolved && slot.attempts == 0);
            return waits ? null : slot;
        }
        return null;
    }

    void sent(BatchBuffer slot) {
        slot.onItsWay = true;
        slot.attempts++;
        unanswered++;
    }

    /** It is not on its way any more; {@code uncertain} when there is no answer. */
    void returned(BatchBuffer slot, boolean uncertain) {
        slot.onItsWay = false;
        slot.uncertain |= uncertain;
        unanswered--;
    }

    boolean first(BatchBuffer slot) {
        return slots[0] == slot;
    }

    boolean unresolved() {
        return unresolved;
    }

    void remove(BatchBuffer slot) {
        int at = place(slot);
        System.arraycopy(slots, at + 1, slots, at, size - at - 1);
        size--;
    }

    private int place(BatchBuffer slot) {
        int at = 0;
        while (slots[at] != slot) {
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
            if (slots[i].uncertain || (!broken && slots[i].attempts > 0)) {
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
            if (slots[i].unnamed) {
                numbering.add(epoch, nextSequence, slots[i].lot);
            }
            number(slots[i], slots[i].records());
            slots[i].seal(origin);
        }
    }
}
