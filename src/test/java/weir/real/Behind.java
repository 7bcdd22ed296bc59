package weir.real;

import java.util.SortedMap;
import java.util.TreeMap;
import weir.cluster.EmbeddedCluster;
import weir.load.client.ClientEngine;

/** Engines of which one half comes to the brokers through a relay, and the other half directly. */
final class Behind {
    private Behind() {}

    static Carried.Engines producers(EmbeddedCluster relayed) {
        return engines(relayed, true, false);
    }

    static Carried.Engines readers(EmbeddedCluster relayed) {
        return engines(relayed, false, true);
    }

    private static Carried.Engines engines(EmbeddedCluster relayed, boolean producers, boolean readers) {
        return (variant, cluster, topics, group, events) -> new ClientEngine(
                new ClientEngine.Connection(
                        cluster.clientProperties(),
                        client(variant.load().producer(), relayed, producers),
                        client(variant.load().consumer(), relayed, readers),
                        topics,
                        variant.load().group(),
                        group,
                        variant.load().consumers(),
                        true,
                        true),
                events);
    }

    private static SortedMap<String, String> client(
            SortedMap<String, String> asked, EmbeddedCluster relayed, boolean through) {
        SortedMap<String, String> client = new TreeMap<>(asked);
        if (through) {
            client.putAll(relayed.relayedProperties());
        }
        return client;
    }
}
