package weir.real;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import weir.cluster.Cluster;
import weir.cluster.start.EmbeddedCluster;
import weir.load.client.ClientEngine;
import weir.load.engine.Engine;
import weir.load.wire.RecordAudience;
import weir.load.wire.WireEngine;
import weir.plan.LoadSpec;
import weir.plan.Variant;
import weir.plan.Verify;

/** The engines that carry messages to and from a real Kafka, directly or with one half behind a relay. */
public enum Carrier implements Carried.Engines {
    CLIENT {
        @Override
        Engine engine(Asked asked) {
            return Engine.of(new ClientEngine(
                    new ClientEngine.Connection(
                            asked.client,
                            asked.producer,
                            asked.consumer,
                            asked.topics,
                            asked.variant.load(),
                            asked.group,
                            asked.variant.load().stream().from().isEmpty() ? 0 : 1,
                            true,
                            true,
                            false,
                            asked.variant.killsReaders(),
                            1),
                    System::nanoTime,
                    asked.events));
        }
    },
    WIRE {
        @Override
        Engine engine(Asked asked) {
            return Engine.of(new WireEngine(
                    new WireEngine.Asked(
                            asked.client,
                            asked.producer,
                            asked.consumer,
                            asked.topics,
                            asked.variant.load().consumers().count(),
                            asked.variant.verify() == Verify.HEADERS,
                            asked.audience),
                    System::nanoTime,
                    System::currentTimeMillis,
                    asked.events));
        }
    };

    record Asked(
            Variant variant,
            SortedMap<String, String> client,
            SortedMap<String, String> producer,
            SortedMap<String, String> consumer,
            List<String> topics,
            String group,
            RecordAudience audience,
            Consumer<String> events) {}

    abstract Engine engine(Asked asked);

    @Override
    public Engine engine(Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events) {
        return engine(new Asked(
                variant,
                cluster.clientProperties(),
                variant.load().producers().properties(),
                variant.load().consumers().properties(),
                topics,
                group,
                RecordAudience.ANYONE,
                events));
    }

    /** Returns engines that know that no other client reads their messages. */
    Carried.Engines alone() {
        return (variant, cluster, topics, group, events) -> engine(new Asked(
                variant,
                cluster.clientProperties(),
                variant.load().producers().properties(),
                variant.load().consumers().properties(),
                topics,
                group,
                variant.load().workload() == LoadSpec.Workload.DELIVER ? RecordAudience.AT_ONCE : RecordAudience.LATER,
                events));
    }

    /** Returns an engine that sends, with another engine that reads. */
    static Carried.Engines both(Carried.Engines sends, Carried.Engines reads) {
        return (variant, cluster, topics, group, events) -> Engine.paired(
                sends.engine(variant, cluster, topics, group, events),
                reads.engine(variant, cluster, topics, group, events));
    }

    Carried.Engines producersBehind(EmbeddedCluster relayed) {
        return behind(relayed, true, false);
    }

    Carried.Engines readersBehind(EmbeddedCluster relayed) {
        return behind(relayed, false, true);
    }

    private Carried.Engines behind(EmbeddedCluster relayed, boolean producers, boolean readers) {
        return both(at(relayed, producers), at(relayed, readers));
    }

    private Carried.Engines at(EmbeddedCluster relayed, boolean through) {
        return (variant, cluster, topics, group, events) -> engine(new Asked(
                variant,
                through ? relayed.relayedProperties() : cluster.clientProperties(),
                variant.load().producers().properties(),
                variant.load().consumers().properties(),
                topics,
                group,
                RecordAudience.ANYONE,
                events));
    }
}
