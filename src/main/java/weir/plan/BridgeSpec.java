package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** HTTP in front of or behind Kafka. */
public sealed interface BridgeSpec {
    record None() implements BridgeSpec {}

    /**
     * Our gateway, with nothing, one balancer or a chain of them in front.
     *
     * @param config a user's own configuration of the balancer; an empty path for ours
     */
    record Gateway(
            int instances,
            Answer answer,
            Limits within,
            SortedMap<String, String> producer,
            List<Balancer> balancers,
            Path config)
            implements BridgeSpec {
        public Gateway {
            producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
            balancers = List.copyOf(balancers);
        }
    }

    /** A way of delivering an event. */
    record Delivery(DeliveryPath path) implements BridgeSpec {}

    /** A server that is there already. */
    record Url(String url) implements BridgeSpec {}

    /** When the gateway answers 200. */
    enum Answer {
        QUEUED,
        ACKED
    }

    enum Balancer {
        HAPROXY,
        NGINX
    }

    enum DeliveryPath {
        DIRECT,
        MEMORY_CHANNEL,
        MEMORY_BROKER,
        KAFKA_CHANNEL,
        KAFKA_BROKER,
        KAFKA_SOURCE
    }
}
