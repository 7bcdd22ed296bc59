package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.property.Properties;
import weir.plan.property.WireProperties;
import weir.plan.trial.Estimate;

/** The checks of placed workers, event paths and engines, and the metrics of a variant. */
class HostChecksTest {
    private static final String LOAD = "load: { workload: deliver, engine: http }\n";

    @Test
    void workersRunHereUnlessHostsAreNamed() {
        assertThat(Plans.only("load: {}").load().placed()).isEqualTo(new PlacedSpec.Here());
        assertThat(Plans.only("load: { placed: here }").load().placed().remote())
                .isFalse();
        assertThat(Plans.only("load: { placed: { hosts: [a, b@c], address: 10.0.0.1 } }")
                        .load()
                        .placed())
                .isEqualTo(new PlacedSpec.Hosts(List.of("a", "b@c"), "10.0.0.1", PlacedSpec.Start.SSH, List.of("ssh")));
    }

    @Test
    void hostsWithoutAWorkerAreReported() {
        String load = "load: { workers: %d, producers: 3, placed: { hosts: [a, b, c] } }";
        assertThat(Plans.only(String.format(load, 1)).load().idleWorkers())
                .isEqualTo("only 1 of 3 hosts has a worker; to use all hosts write workers: 3");
        assertThat(Plans.only(String.format(load, 3)).load().idleWorkers()).isEmpty();
    }

    @Test
    void workersAreSpreadOverHostsInTurn() {
        PlacedSpec.Hosts hosts = new PlacedSpec.Hosts(List.of("a", "b"), "", PlacedSpec.Start.SSH, List.of("ssh"));
        assertThat(List.of(hosts.of(0), hosts.of(1), hosts.of(2))).containsExactly("a", "b", "a");
    }

    @Test
    @Tag("with-http")
    void externalClusterAndBridgeIgnoreThePlacementOfTheFile() {
        Variant given = Plans.only(
                "placed: { hosts: [a] }\ncluster: { bootstrap: 'k:9092' }\nbridge: { url: 'http://x' }\nload: { rate: 1/s, engine: http }");
        assertThat(given.load().placed()).isEqualTo(hosts("a"));
        assertThat(given.cluster().placed()).isEqualTo(new PlacedSpec.Here());
        assertThat(given.bridge().placed()).isEqualTo(new PlacedSpec.Here());
        assertThat(given.placements()).containsExactly(hosts("a"));
    }

    @Test
    @Tag("with-http")
    void loadOnAHostMayUseLocalGateways() {
        Variant variant =
                Plans.only("bridge: { gateway: { instances: 1 } }\nload: { engine: http, placed: { hosts: [a] } }");
        assertThat(variant.load().placed()).isEqualTo(hosts("a"));
        assertThat(variant.bridge().placed()).isEqualTo(new PlacedSpec.Here());
    }

    @Test
    void javaPathOfRemoteBrokersIsNotCheckedLocally() {
        String java = "cluster: { java: /not/here, placed: %s }";
        assertThat(Plans.read(String.format(java, "here")).missing())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .startsWith("x.yaml:1:18: cluster.java: '/not/here' does not exist, or cannot be read"));
        assertThat(Plans.read(String.format(java, "{ hosts: [a] }")).missing()).isEmpty();
    }

    @Test
    @Tag("with-command")
    @Tag("with-http")
    @Tag("with-stress")
    void placementOnAHostListsItsProcesses() {
        Variant variant = Plans.read("""
                        load: { engine: http }
                        bridge: { gateway: { instances: 3 }, balancer: [haproxy, nginx], placed: { hosts: [a, me@b] } }
                        during: { x: { at: 1s, stress: {}, placed: { hosts: [b] } }, y: { at: 1s, run: [date] } }
                        """).variants().get(0);
        assertThat(variant.others("a"::equals)).containsExactly("gateway-1", "gateway-3", "haproxy-1", "nginx-2");
        assertThat(variant.others("b"::equals)).containsExactly("gateway-2", "x");
        assertThat(variant.others(String::isEmpty)).containsExactly("y");
        assertThat(variant.reachingBrokers())
                .singleElement()
                .satisfies(hosts -> assertThat(hosts.names()).containsExactly("a", "me@b"));
    }

    private static PlacedSpec.Hosts hosts(String... names) {
        return new PlacedSpec.Hosts(List.of(names), "", PlacedSpec.Start.SSH, List.of("ssh"));
    }

    @ParameterizedTest
    @CsvSource({
        "{ path: direct },         accepted by the receiver",
        "{ path: memory-channel }, queued in memory by the channel",
        "{ path: memory-broker },  queued in memory by the channel",
        "{ path: kafka-channel },  ''",
        "{ path: kafka-source },   ''",
    })
    @Tag("with-delivery")
    void aPathWithoutKafkaNotesWhoAcknowledges(String bridge, String who) {
        String note = Plans.only(LOAD + "bridge: " + bridge).ackedNote();
        assertThat(note.replaceFirst(".*so acked means ", "")).isEqualTo(who);
    }

    @Test
    void everyWirePropertyIsAClientProperty() {
        assertThat(WireProperties.known()).hasSizeGreaterThan(40);
        assertThat(Properties.known())
                .containsKeys(WireProperties.known().keySet().toArray(String[]::new));
    }

    @Test
    void deliverReadsABacklog() {
        Variant variant = Plans.only("load: { workload: deliver, rate: 1k/s, backlog: { size: 1MiB, cache: cold } }");
        assertThat(variant.load().catchesUp()).isTrue();
        assertThat(variant.load().backlog().cold()).isTrue();
        assertThat(Plans.only("load: { workload: deliver, rate: 1k/s }").load().catchesUp())
                .isFalse();
    }

    @Test
    void producingToNullCanRunAndIsWrittenWithoutQuotes() {
        Experiment experiment = Plans.read("load: { target: null }\nverify: true");
        assertThat(experiment.variants().get(0).load().target()).isEqualTo(LoadSpec.Target.NULL);
        assertThat(Estimate.of(experiment).bytes()).isZero();
        assertThat(Estimate.of(experiment).bounded()).isTrue();
    }
}
