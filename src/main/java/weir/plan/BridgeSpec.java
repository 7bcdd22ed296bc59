package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** HTTP in front of or behind Kafka. */
public sealed interface BridgeSpec {
    /** Where its processes run. */
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    /** Its processes that can be placed, by name, with the number by which each is dealt out to hosts. */
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

    /** The number of gateways that are started. */
    default int instances() {
        return 0;
    }

    /** The limits of each of its processes. */
    default Limits within() {
        return Limits.NONE;
    }

    /** The address of a server that is there already; empty for any other bridge. */
    default String url() {
        return "";
    }

    /** The topic of the plan that dead letters are written to; empty for none. */
    default String deadLetterTopic() {
        return "";
    }

    /** True when what is acked is only in the memory of a process yet, or of nobody knows whom. */
    default boolean queued() {
        return false;
    }

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

        /** The name of a balancer, counted from 1 as senders meet them. */
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
     * A way of delivering an event, by processes of ours.
     *
     * @param within the limits of each of them
     * @param producer properties of a channel that writes to Kafka
     * @param consumer properties of whatever reads from Kafka
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

    /** A server that is there already. */
    record Url(String url) implements BridgeSpec {
        @Override
        public boolean queued() {
            return true;
        }
    }

    /** When the gateway answers 200. */
    enum Answer {
        QUEUED,
        ACKED
    }

    enum Balancer {
        HAPROXY,
        NGINX
    }

    /** The hops that an event passes from its sender to its receiver. */
    enum DeliveryPath {
        DIRECT,
        MEMORY_CHANNEL,
        MEMORY_BROKER,
        KAFKA_CHANNEL,
        KAFKA_BROKER,
        KAFKA_SOURCE;

        /** The processes of a path, in the order in which an event comes to them. */
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

        /** True when events stand in Kafka on their way. */
        public boolean inKafka() {
            return this == KAFKA_CHANNEL || this == KAFKA_BROKER || this == KAFKA_SOURCE;
        }

        /** True when they pass an ingress and a filter. */
        public boolean brokered() {
            return this == MEMORY_BROKER || this == KAFKA_BROKER;
        }
    }
}
