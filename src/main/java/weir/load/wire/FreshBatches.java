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
 * Every message is written when its lot leaves: keys, small values, values of a file. Those with keys are dealt out to
 * partitions as the Java client does it; those without go lot by lot, and batch by batch, to one after the other.
 */
final class FreshBatches implements BatchBuilder {
    private static final int MOST_MESSAGES = 1 << 16;
    private static final int FIRST_GUESS_BYTES = 1_000;

    private final BatchAccumulator lots;
    private final Outcomes outcomes;
    private final PartitionQueues lanes;
    private final BatchBufferPool slots;
    private final ProducerSettings terms;
    private final LongSupplier wallMillis;
    private final MessageBatch whole = new MessageBatch();
    private final MessageBatch refused = new MessageBatch();
    private final List<@Nullable BatchBuffer> open = new ArrayList<>();
    private final List<PartitionQueue> opened = new ArrayList<>();
    private long packedBytes = FIRST_GUESS_BYTES;
    private long packed = 1;

    FreshBatches(
            BatchAccumulator lots,
            Outcomes outcomes,
            PartitionQueues lanes,
            BatchBufferPool slots,
            ProducerSettings terms,
            LongSupplier wallMillis) {
        this.lots = lots;
        this.outcomes = outcomes;
        this.lanes = lanes;
        this.slots = slots;
        this.terms = terms;
        this.wallMillis = wallMillis;
        lanes.all().forEach(lane -> open.add(null));
    }

    @Override
    public int most() {
        long each = Math.max(1, packedBytes / packed);
        long fit = Math.max(1, terms.batchBytes() / each);
        int batches = lots.keyed() ? Math.max(1, Math.min(slots.free(), lanes.of(lots.topic()))) : 1;
        return (int) Math.min(MOST_MESSAGES, fit * batches);
    }

    @Override
    public boolean room() {
        return slots.free() > 0 && (lots.keyed() || lanes.next(lots.topic()) != null);
    }

    @Override
    public void pack(long nowNanos) {
        lots.take(whole, nowNanos);
        refused.begin(whole);
        PartitionQueue sticky = another(whole.topic());
        long bytes = 0;
        int largest = 0;
        for (int i = 0; i < whole.count(); i++) {
            Message message = lots.message(whole, i);
            bytes += message.bytes();
            boolean keyed = message.key() != KeySource.NONE;
            byte[] key = keyed ? message.key() : RecordBatch.NONE;
            byte[] header = message.header() ? message.identity() : RecordBatch.NONE;
            PartitionQueue lane = keyed ? lanes.of(whole.topic(), key) : sticky;
            BatchBuffer slot = open.get(lane.index());
            if (slot != null && slot.sizeWith(key, message.value(), header) > terms.batchBytes()) {
                close(lane);
                slot = null;
                lane = keyed ? lane : another(whole.topic());
                sticky = keyed ? sticky : lane;
            }
            slot = slot == null ? open(lane, nowNanos) : slot;
            int size = slot.sizeWith(key, message.value(), header);
            if (slot.batch().count() == 0 && size > terms.requestBytes()) {
                refused.add(whole, i);
                largest = Math.max(largest, size);
                continue;
            }
            slot.batch().append(key, message.value(), header);
            slot.lot.add(whole, i);
        }
        packed += whole.count();
        packedBytes += bytes;
        for (int i = 0; i < opened.size(); i++) {
            close(opened.get(i));
        }
        opened.clear();
        lots.departed(whole, bytes);
        if (refused.count() > 0) {
            outcomes.failed(refused, tooLarge(largest));
        }
    }

    private PartitionQueue another(int topic) {
        PartitionQueue next = lanes.next(topic);
        return next == null ? lanes.of(topic, KeySource.NONE) : next;
    }

    private BatchBuffer open(PartitionQueue lane, long nowNanos) {
        BatchBuffer slot = slots.take();
        slot.batch().clear();
        slot.lot.begin(whole);
        slot.takenNanos = nowNanos;
        open.set(lane.index(), slot);
        opened.add(lane);
        return slot;
    }

    private void close(PartitionQueue lane) {
        BatchBuffer slot = open.set(lane.index(), null);
        if (slot != null && slot.batch().count() > 0) {
            lane.add(slot, slot.batch().count(), wallMillis.getAsLong());
        } else if (slot != null) {
            slots.free(slot);
        }
    }

    private RecordTooLargeException tooLarge(int size) {
        return new RecordTooLargeException("The message is " + size + " bytes when serialized which is larger than "
                + terms.requestBytes() + ", which is the value of the max.request.size configuration.");
    }
}
