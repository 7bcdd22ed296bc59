package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.Cluster;
import weir.http.HttpServer.RequestLimits;
import weir.load.engine.Engine;
import weir.load.engine.Producing;
import weir.load.send.Sender;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.real.Carried;
import weir.real.Carrier;
import weir.real.EngineContract;
import weir.results.value.Figures;

/** The HTTP engine through a gateway, which keeps the contract of a producing engine. */
class HttpEngineIT extends EngineContract {
    @Override
    protected Carried.Engines engines() {
        return HttpEngineIT::through;
    }

    private static Engine through(
            Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events) {
        Engine client = Carrier.CLIENT.engine(variant, cluster, topics, group, events);
        SortedMap<String, String> producer = new TreeMap<>(cluster.clientProperties());
        producer.putAll(variant.load().producers().properties());
        try {
            Gateway gateway = Gateway.start(GatewayUnderTest.settings(producer, RequestLimits.DEFAULT));
            HttpEngine engine = new HttpEngine(
                    HttpSettings.of(
                            List.of("http://127.0.0.1:" + gateway.address().getPort()),
                            topics,
                            connected(variant.load().part(HttpSpec.class)),
                            variant.load().producers().count(),
                            false),
                    System::nanoTime,
                    events);
            return new Engine(new Through(engine, gateway), client.consuming(), client.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A connection has one request at a time, and a request takes as long as the linger of its producer. */
    private static HttpSpec connected(HttpSpec asked) {
        return new HttpSpec(
                64,
                asked.version(),
                asked.request(),
                asked.batch(),
                asked.linger(),
                asked.timeout(),
                asked.retries(),
                asked.tls(),
                asked.token());
    }

    /** The engine, and a gateway that ends with the engine. */
    private record Through(HttpEngine engine, Gateway gateway) implements Producing {
        @Override
        public Sender sender(int producer) {
            return engine.sender(producer);
        }

        @Override
        public boolean confirms() {
            return engine.confirms();
        }

        @Override
        public long[] ackedEnds(List<String> partitions) {
            return engine.ackedEnds(partitions);
        }

        @Override
        public void report(Figures into) {
            engine.report(into);
        }

        @Override
        public List<Property> properties() {
            return engine.properties();
        }

        @Override
        public List<String> notes() {
            return engine.notes();
        }

        @Override
        public void close() {
            engine.close();
            gateway.close();
        }
    }

    /** Requests on several connections overtake each other, so the order is not checked. */
    @Override
    @ParameterizedTest
    @ValueSource(strings = {"sequence", "random", "{ skewed: { distinct: 10, exponent: 0.99 } }", "{ column: 1 }"})
    protected void keysAreSent(String key) throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 3 } }
                load: { workload: produce, rate: max, key: %s, value: { content: planes } }
                warmup: none
                measure: { operations: 300 }
                """.formatted(key));
        assertWhole(carried.ledger.balance(Steps.MEASURE), 300);
    }

    @Override
    @Test
    protected void refusedRecordsAreCountedAsFailed() throws Exception {
        Carried carried = carry("""
                topics: { t: { config: { max.message.bytes: 2000 } } }
                load: { workload: produce, rate: one at a time, value: { size: { 100B: 50%, 10000B: 50% } } }
                warmup: none
                measure: { operations: 40 }
                """);
        Balance balance = carried.ledger.balance(Steps.MEASURE);
        assertThat(balance.balances()).isTrue();
        assertThat(balance.of(Count.FAILED)).isPositive();
        assertThat(balance.of(Count.ACKED)).isPositive();
        assertThat(balance.of(Count.ACKED) + balance.of(Count.FAILED)).isEqualTo(40);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(balance.of(Count.ACKED));
        assertThat(balance.of(Count.GHOSTS)).isZero();
        // A failure counts as the time after which the sender abandons a request, thirty seconds.
        assertThat(carried.numbers().latency(LatencyKind.RESPONSE).maxMillis()).isBetween(29_000.0, 31_000.0);
        assertThat(carried.events).anyMatch(event -> event.contains("HTTP 413"));
    }

    @Override
    @Test
    protected void anEngineExplainsItself() throws Exception {
        Carried carried = carry("""
                topics: { t: {} }
                load: { workload: deliver, rate: 1000/s }
                warmup: 1s
                measure: 2s
                """);
        assertThat(carried.readings)
                .contains(
                        "producer.request-latency-avg",
                        "producer.records-per-request-avg",
                        "producer.requests-in-flight",
                        "producer.connection-creation-total",
                        "consumer.fetch-latency-avg");
    }
}
