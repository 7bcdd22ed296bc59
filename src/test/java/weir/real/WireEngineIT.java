package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import weir.cluster.Cluster;
import weir.load.Engine;
import weir.load.wire.WireEngine;
import weir.plan.Variant;

/** The wire engine keeps the contract, but for groups, which it has not. */
class WireEngineIT extends EngineContract {
    @Override
    Carried.Engines engines() {
        return WireEngineIT::engine;
    }

    static Engine engine(Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events) {
        return new WireEngine(
                new WireEngine.Asked(
                        new TreeMap<>(cluster.clientProperties()),
                        variant.load().producer(),
                        variant.load().consumer(),
                        topics,
                        variant.load().consumers()),
                events);
    }

    /** A plan with a group is refused before it comes here. */
    @Override
    void aGroupReadsEverything(String protocol) {}

    @Test
    void itExplainsItself() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: deliver, rate: 1000/s, producer: { compression.type: lz4 } }
                warmup: 1s
                measure: 2s
                """);
        assertThat(carried.readings)
                .contains(
                        "producer.batch-size-avg",
                        "producer.records-per-request-avg",
                        "producer.compression-rate-avg",
                        "producer.request-latency-avg",
                        "producer.record-queue-time-avg",
                        "consumer.fetch-latency-avg",
                        "consumer.records-per-request-avg");
    }
}
