package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** An HTTP server in front of or behind Kafka. */
public sealed interface BridgeSpec {
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    /** The processes that can be placed, by name; the number decides which host a process gets. */
    default SortedMap<String, Integer> processes() {
        return Collections.emptySortedMap();
    }

    default boolean none() {
        return this instanceof None;
    }

    /** True when Weir starts its processes. */
    default boolean ours() {
        return false;
    }

    default int instances() {
        return 0;
    }

    default Limits within() {
        return Limits.NONE;
    }

    /** The address of an existing server; empty for any other bridge. */
    default String url() {
        return "";
    }

    default String deadLetterTopic() {
        return "";
    }

    /** True if an acked record may exist only in the memory of a process, or if the server is not ours. */
    default boolean queued() {
        return false;
    }

    record None() implements BridgeSpec {}

    /**
     * Our gateway, behind no balancer, one balancer or a chain of balancers.
     *
     * @param config the user's configuration of the balancer; an empty path means ours
     */
    record Gateway(
            int instances,
            Answer answer,
            Limits within,
            SortedMap<String, String> producer,
            List<Balancer> balancers,
            Path config,
            PlacedSpec placed)
            implements BridgeSpec {
        public Gateway {
            producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
            balancers = List.copyOf(balancers);
        }

        @Override
        public boolean ours() {
            return true;
        }

        @Override
        public boolean queued() {
            return answer == Answer.QUEUED;
        }

        /** The name of a gateway, counted from 1. */
        public static String gateway(int number) {
            return "gateway-" + number;
        }

        /** The name of a balancer; 1 is the one that senders connect to. */
        public String balancer(int number) {
            return EnumNames.of(balancers.get(number - 1)) + (balancers.size() > 1 ? "-" + number : "");
        }

        @Override
        public SortedMap<String, Integer> processes() {
            SortedMap<String, Integer> all = new TreeMap<>();
            IntStream.rangeClosed(1, instances).forEach(number -> all.put(gateway(number), number - 1));
            IntStream.rangeClosed(1, balancers.size()).forEach(number -> all.put(balancer(number), 0));
            return all;
        }
    }

    /**
     * The delivery of events by Weir's own processes.
     *
     * @param within the limits of each process
     * @param producer properties of the channel that writes to Kafka
     * @param consumer properties of the processes that read from Kafka
     */
    record Delivery(
            DeliveryPath path,
            DispatchSpec dispatch,
            Limits within,
            SortedMap<String, String> producer,
            SortedMap<String, String> consumer,
            PlacedSpec placed)
            implements BridgeSpec {
        public Delivery {
            producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
            consumer = Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
        }

        @Override
        public boolean ours() {
            return path != DeliveryPath.DIRECT;
        }

        @Override
        public boolean queued() {
            return ours() && !path.inKafka();
        }

        @Override
        public String deadLetterTopic() {
            return dispatch.delivery().deadLetterTopic();
        }
    }

    /** A server that Weir does not start. */
    record Url(String url) implements BridgeSpec {
        @Override
        public boolean queued() {
            return true;
        }
    }

    /** The moment at which the gateway answers 200. */
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
        KAFKA_SOURCE;

        public List<DisturbanceSpec.Server.Role> processes() {
            return switch (this) {
                case DIRECT -> List.of();
                case MEMORY_CHANNEL, KAFKA_CHANNEL -> List.of(DisturbanceSpec.Server.Role.CHANNEL);
                case MEMORY_BROKER, KAFKA_BROKER ->
                    List.of(
                            DisturbanceSpec.Server.Role.INGRESS,
                            DisturbanceSpec.Server.Role.CHANNEL,
                            DisturbanceSpec.Server.Role.FILTER);
                case KAFKA_SOURCE -> List.of(DisturbanceSpec.Server.Role.SOURCE);
            };
        }

        /** True if the path stores events in Kafka. */
        public boolean inKafka() {
            return this == KAFKA_CHANNEL || this == KAFKA_BROKER || this == KAFKA_SOURCE;
        }

        public boolean brokered() {
            return this == MEMORY_BROKER || this == KAFKA_BROKER;
        }
    }
}
