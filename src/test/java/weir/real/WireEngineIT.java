package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The wire engine keeps the contract, but for groups, which it has not. */
class WireEngineIT extends EngineContract {
    @Override
    Carried.Engines engines() {
        return Carrier.WIRE;
    }

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
