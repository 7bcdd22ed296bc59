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
 * Every slot is filled once with values of its own, and sent again and again: what changes of a record is its identity, 16
 * bytes. Only for messages without keys whose values may be any; a lot goes to one partition.
 */
final class PrebuiltBatches implements BatchBuilder {
    /** The client reckons with so much more than compression seemed to need. */
    private static final double CAUTION = 1.05;

    private static final double MOST_GROWTH = 10;
    private static final int MOST_BYTES = 16 << 20;
    private static final long DUE_LIKE = 1_000_003;

    private final BatchAccumulator lots;
    private final PartitionQueues lanes;
    private final BatchBufferPool slots;
    private final ProducerSettings terms;
    private final LongSupplier wallMillis;
    private int largest;
    private int most;

    PrebuiltBatches(
            BatchAccumulator lots,
            PartitionQueues lanes,
            BatchBufferPool slots,
            ProducerSettings terms,
            LongSupplier wallMillis) {
        this.lots = lots;
        this.lanes = lanes;
        this.slots = slots;
        this.terms = terms;
        this.wallMillis = wallMillis;
        List<BatchBuffer> all = new ArrayList<>();
        int target = terms.batchBytes();
        for (int i = 0; i < slots.most(); i++) {
            BatchBuffer slot = slots.take();
            fill(slot.batch(), (long) i << 32, target);
            if (i == 0 && terms.compressed()) {
                // As the client does it: a batch is as large as it is when it travels.
                double grown = Math.min(MOST_GROWTH, 1 / (slot.ratio() * CAUTION));
                target = (int) Math.min(MOST_BYTES, Math.max(1, grown) * target);
                fill(slot.batch(), 1L << 31, target);
            }
            all.add(slot);
        }
        all.forEach(slots::free);
    }

    /** True when no message is larger than a request may be. */
    boolean fits() {
        return largest <= terms.requestBytes();
    }

    private void fill(RecordBatch batch, long first, int mostBytes) {
        long number = first;
        byte[] value = lots.values().next(number);
        while (batch.count() == 0
                || batch.size(batch.count()) + batch.cost(RecordBatch.NONE, value, RecordBatch.NONE) <= mostBytes) {
            // What stands there when it is sent is no easier to compress.
            Identity.write(value, lots.runTag(), lots.producer(), number, number * DUE_LIKE);
            int size = RecordBatch.HEADER_BYTES + batch.cost(RecordBatch.NONE, value, RecordBatch.NONE);
            largest = Math.max(largest, size);
            batch.append(RecordBatch.NONE, value, RecordBatch.NONE);
            value = lots.values().next(++number);
        }
    }

    @Override
    public int most() {
        if (slots.free() > 0) {
            most = slots.peek().batch().count();
        }
        return most;
    }

    @Override
    public boolean room() {
        return slots.free() > 0 && lane() != null;
    }

    private @Nullable PartitionQueue lane() {
        return lanes.next(lots.topic());
    }

    @Override
    public void pack(long nowNanos) {
        PartitionQueue lane = lane();
        if (lane == null) {
            throw new IllegalStateException("no room for a lot");
        }
        BatchBuffer slot = slots.take();
        MessageBatch lot = slot.lot;
        lots.take(lot, nowNanos);
        RecordBatch batch = slot.batch();
        slot.takenNanos = nowNanos;
        if (lot.count() == batch.count() && lane.knows(lot)) {
            lane.addUnnamed(slot, wallMillis.getAsLong());
        } else {
            for (int i = 0; i < lot.count(); i++) {
                batch.identify(i, lot.sequence(i), lot.dueNanos(i));
            }
            lane.add(slot, lot.count(), wallMillis.getAsLong());
        }
        lots.departed(lot, slot.contents());
    }
}
