package weir.real;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.cluster.Cluster;
import weir.cluster.EmbeddedCluster;
import weir.load.Engine;
import weir.load.client.ClientEngine;
import weir.load.wire.WireEngine;
import weir.plan.Variant;

/** The engines that carry messages to and from a real Kafka, straight or with one half behind a relay. */
enum Carrier implements Carried.Engines {
    CLIENT {
        @Override
        Engine engine(Asked asked) {
            return new ClientEngine(
                    new ClientEngine.Connection(
                            asked.client,
                            asked.producer,
                            asked.consumer,
                            asked.topics,
                            asked.variant.load().group(),
                            asked.group,
                            asked.variant.load().consumers(),
                            true,
                            true),
                    asked.events);
        }
    },
    WIRE {
        @Override
        Engine engine(Asked asked) {
            return new WireEngine(
                    new WireEngine.Asked(
                            asked.client,
                            asked.producer,
                            asked.consumer,
                            asked.topics,
                            asked.variant.load().consumers()),
                    asked.events);
        }
    };

    /** What an engine is made from. */
    record Asked(
            Variant variant,
            SortedMap<String, String> client,
            SortedMap<String, String> producer,
            SortedMap<String, String> consumer,
            List<String> topics,
            String group,
            Consumer<String> events) {}

    abstract Engine engine(Asked asked);

    @Override
    public Engine engine(Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events) {
        return engine(new Asked(
                variant,
                cluster.clientProperties(),
                variant.load().producer(),
                variant.load().consumer(),
                topics,
                group,
                events));
    }

    Carried.Engines producersBehind(EmbeddedCluster relayed) {
        return behind(relayed, true, false);
    }

    Carried.Engines readersBehind(EmbeddedCluster relayed) {
        return behind(relayed, false, true);
    }

    private Carried.Engines behind(EmbeddedCluster relayed, boolean producers, boolean readers) {
        return (variant, cluster, topics, group, events) -> engine(new Asked(
                variant,
                cluster.clientProperties(),
                through(variant.load().producer(), relayed, producers),
                through(variant.load().consumer(), relayed, readers),
                topics,
                group,
                events));
    }

    private static SortedMap<String, String> through(
            SortedMap<String, String> asked, EmbeddedCluster relayed, boolean through) {
        SortedMap<String, String> client = new TreeMap<>(asked);
        if (through) {
            client.putAll(relayed.relayedProperties());
        }
        return client;
    }
}
