package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Plans;
import weir.plan.property.WireProperties;

class EngineChecksTest {
    private static final String SASL = "cluster: { bootstrap: 'x:1', client: { security.protocol: SASL_SSL%s } }%n";

    @ParameterizedTest
    @ValueSource(strings = {"produce", "deliver", "consume, backlog: 10 records"})
    void wireCarriesWhatHasOneSenderOrReader(String workload) {
        assertThat(problem("workload: " + workload)).isEmpty();
    }

    @Test
    void whatHeadersDoNotTellIsNotExpected() {
        String yaml =
                "verify: headers\nload: { workload: consume, backlog: 10 records, engine: wire }\nexpect: [ '%s == 0' ]";
        assertThat(Plans.problems(String.format(yaml, "lost")))
                .contains("has no lost: with verify: headers records are counted without looking whose they are");
        assertThat(Plans.problems(String.format(yaml, "received/s").replace("==", ">=")))
                .isEmpty();
    }

    @Test
    void propertyThatWireDoesNotTakeIsRefusedWhereverItStands() {
        assertThat(problem("producer: { buffer.memory: 1000 }"))
                .contains("x.yaml:1:")
                .contains("load.producer.buffer.memory: is not a property of the wire engine");
        assertThat(problem("consumer: { max.poll.records: 1 }")).contains("load.consumer.max.poll.records: is not");
        assertThat(Plans.problems(
                        "cluster: { client: { client.dns.lookup: use_all_dns_ips } }\nload: { engine: wire }"))
                .contains("cluster.client.client.dns.lookup: is not");
        assertThat(problem("producer: { plugin: { my.own: 1 } }")).contains("is not a property of the wire engine");
    }

    @Test
    void nearestPropertyThatWireTakesIsNamed() {
        assertThat(problem("producer: { socket.connection.setup.timeout.max.ms: 1 }"))
                .contains("the nearest one is 'socket.connection.setup.timeout.ms'");
    }

    @Test
    void valueThatWireCannotDoIsRefusedWithThoseItCan() {
        assertThat(problem("consumer: { auto.offset.reset: 'by_duration:PT1H' }"))
                .contains("'by_duration:PT1H' is not what the wire engine can do; it takes earliest, latest, none");
        assertThat(Plans.problems(String.format(SASL, ", sasl.mechanism: GSSAPI") + "load: { engine: wire }"))
                .contains("it takes PLAIN, SCRAM-SHA-256, SCRAM-SHA-512");
        assertThat(Plans.problems(String.format(SASL, "") + "load: { engine: wire }"))
                .contains("without sasl.mechanism Kafka means GSSAPI");
        assertThat(Plans.problems(String.format(SASL, ", sasl.mechanism: PLAIN") + "load: { engine: wire }"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "wire"})
    void whatExcludesIdempotenceIsRefusedBesideIt(String engine) {
        String load = "load: { engine: " + engine + ", producer: { enable.idempotence: %s, %s } }";
        for (String other : new String[] {"acks: 1", "max.in.flight.requests.per.connection: 6", "retries: 0"}) {
            assertThat(Plans.problems(String.format(load, "true", other))).contains("enable.idempotence");
            assertThat(Plans.problems(String.format(load, "false", other))).isEmpty();
        }
        assertThat(Plans.problems(String.format(load, "true", "acks: all"))).isEmpty();
    }

    @Test
    void variantMayHaveAnotherEngineAndThenAnswersForItself() {
        String yaml = """
                load: { producer: { buffer.memory: 1000000 } }
                variants: { client: {}, wire: { load: { engine: wire%s } } }
                """;
        assertThat(Plans.problems(String.format(yaml, "")))
                .contains("x.yaml:1:")
                .contains("buffer.memory: null");
        assertThat(Plans.problems(String.format(yaml, ", producer: { buffer.memory: null }")))
                .isEmpty();
    }

    @Test
    void everythingThatWireTakesIsAPropertyOfTheClients() {
        assertThat(WireProperties.known()).hasSizeGreaterThan(40);
        assertThat(WireProperties.known())
                .hasEntrySatisfying(
                        "linger.ms", linger -> assertThat(linger.fallback()).isEqualTo("5"));
    }

    private static String problem(String load) {
        return Plans.problems("load: { engine: wire, " + load + " }");
    }
}
