package weir.bridge;

import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.bridge.kafka.Forwarder.Shipment;
import weir.bridge.kafka.ProducerFaults;
import weir.http.Answers;

/** A request and the outcomes of its records, which the producer's thread settles in any order. */
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

    interface Settled {
        void settled(Exchange exchange);
    }

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

    private @Nullable Exception fault() {
        for (Exception fault : faults) {
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    /** Reports the outcome of each record as version 2 of the REST interface does; of a raw record, its own outcome. */
    FullHttpResponse answer() {
        StringBuilder json = new StringBuilder(48 * records.size() + 16);
        json.append(single ? "" : "{\"offsets\":[");
        for (int i = 0; i < records.size(); i++) {
            json.append(i > 0 ? "," : "");
            Exception fault = faults[i];
            if (fault == null) {
                json.append("{\"partition\":").append(partitions[i]).append(",\"offset\":");
                // Without acknowledgements there are no offsets.
                if (offsets[i] < 0) {
                    json.append("null");
                } else {
                    json.append(offsets[i]);
                }
            } else {
                json.append("{\"error_code\":")
                        .append(ProducerFaults.status(fault))
                        .append(",\"message\":");
                Answers.quote(json, String.valueOf(fault.getMessage()));
            }
            json.append('}');
        }
        json.append(single ? "\n" : "]}\n");
        return Answers.json(HttpResponseStatus.valueOf(ProducerFaults.status(fault())), json.toString());
    }
}
