package weir.bridge;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import weir.bridge.kafka.Availability;
import weir.http.HttpServer.ServerCounters;

/** The counts of a gateway since its start, and whether its cluster answers. */
final class GatewayCounters {
    private final ServerCounters server = new ServerCounters();
    private final LongAdder requests = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final Availability availability = new Availability(written::sum);

    Availability availability() {
        return availability;
    }

    ServerCounters server() {
        return server;
    }

    void request(int recordsInIt, long bytesInIt) {
        requests.increment();
        records.add(recordsInIt);
        bytes.add(bytesInIt);
    }

    void settled(boolean acked) {
        (acked ? written : failed).increment();
    }

    SortedMap<String, Long> all() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("bytes", bytes.sum());
        all.put("connections", server.connections.sum());
        all.put("records", records.sum());
        all.put("records_acked", written.sum());
        all.put("records_failed", failed.sum());
        all.put("requests", requests.sum());
        all.put("requests_full", server.full.sum());
        all.put("requests_refused", server.refused.sum());
        return Collections.unmodifiableSortedMap(all);
    }
}
