package weir.bridge;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.bridge.kafka.Shipment;

/** A request and what became of its records. The producer's thread settles them, in any order. */
final class Exchange implements Shipment {
    private final List<ProducerRecord<byte[], byte[]>> records;
    private final boolean single;
    private final GatewayCounters counters;
    private final long answers;
    private final Settled settled;
    private final int[] partitions;
    private final long[] offsets;
    private final @Nullable Exception[] faults;
    private final AtomicInteger open;

    /** Hears, once and on any thread, that all records are settled. */
    interface Settled {
        void settled(Exchange exchange);
    }

    /** {@code single}: the body was the record. */
    Exchange(List<ProducerRecord<byte[], byte[]>> records, boolean single, GatewayCounters counters, Settled settled) {
        this.records = records;
        this.single = single;
        this.counters = counters;
        this.answers = counters.availability().answers();
        this.settled = settled;
        this.partitions = new int[records.size()];
        this.offsets = new long[records.size()];
        this.faults = new Exception[records.size()];
        this.open = new AtomicInteger(records.size());
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> records() {
        return records;
    }

    boolean single() {
        return single;
    }

    @Override
    public void settle(int record, @Nullable RecordMetadata metadata, @Nullable Exception fault) {
        counters.settled(fault == null);
        if (fault != null) {
            counters.availability().failed(answers, fault);
        }
        faults[record] = fault;
        if (fault == null && metadata != null) {
            partitions[record] = metadata.partition();
            offsets[record] = metadata.hasOffset() ? metadata.offset() : -1;
        }
        if (open.decrementAndGet() == 0) {
            settled.settled(this);
        }
    }

    int partition(int record) {
        return partitions[record];
    }

    /** -1 where the broker tells none. */
    long offset(int record) {
        return offsets[record];
    }

    @Nullable Exception fault(int record) {
        return faults[record];
    }

    /** The first fault of any record; null when all are written. */
    @Nullable Exception fault() {
        for (Exception fault : faults) {
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }
}
