package weir.bridge;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** The counts of a gateway since its start. */
final class GatewayCounters {
    private final LongAdder requests = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder full = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder connections = new LongAdder();

    void request(int recordsInIt, long bytesInIt) {
        requests.increment();
        records.add(recordsInIt);
        bytes.add(bytesInIt);
    }

    /** A request that was wrong, too large, too slow or not allowed. */
    void refused() {
        refused.increment();
    }

    /** A request for which there was no room for as long as it may wait. */
    void full() {
        full.increment();
    }

    void settled(boolean acked) {
        (acked ? written : failed).increment();
    }

    /** One more connection, or one less. */
    void connection(int change) {
        connections.add(change);
    }

    long connections() {
        return connections.sum();
    }

    /** By name, in units of one; {@code connections} are those that are open. */
    SortedMap<String, Long> all() {
        SortedMap<String, Long> all = new TreeMap<>();
        all.put("bytes", bytes.sum());
        all.put("connections", connections.sum());
        all.put("records", records.sum());
        all.put("records_acked", written.sum());
        all.put("records_failed", failed.sum());
        all.put("requests", requests.sum());
        all.put("requests_full", full.sum());
        all.put("requests_refused", refused.sum());
        return Collections.unmodifiableSortedMap(all);
    }

    String json() {
        StringBuilder json = new StringBuilder("{");
        all().forEach((name, count) -> json.append(json.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":")
                .append(count));
        return json.append("}\n").toString();
    }

    /** The text format of Prometheus, version 0.0.4. */
    String prometheus() {
        StringBuilder text = new StringBuilder();
        all().forEach((name, count) -> {
            boolean gauge = name.equals("connections");
            String full = "weir_gateway_" + name + (gauge ? "" : "_total");
            text.append("# TYPE ").append(full).append(gauge ? " gauge\n" : " counter\n");
            text.append(full).append(' ').append(count).append('\n');
        });
        return text.toString();
    }
}
