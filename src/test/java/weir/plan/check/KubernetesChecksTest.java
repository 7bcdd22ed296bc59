package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Variant;

class KubernetesChecksTest {
    private static final String IMAGE = "kubernetes: { image: weir }\n";
    private static final String ALL = IMAGE + """
            placed: kubernetes
            cluster: { brokers: 3 }
            bridge: { gateway: {} }
            load: { engine: { send: http, receive: client } }
            during:
              stress: { at: 1s, stress: {} }
              run: { at: 1s, run: 'true' }
            """;

    private static PlacedSpec spread(PlacedSpec.Spread spread) {
        return new PlacedSpec.Kubernetes("weir", "weir", new java.util.TreeMap<>(), "", spread);
    }

    private static PlacedSpec during(Variant variant, String name) {
        return Objects.requireNonNull(variant.during().get(name)).placed();
    }

    @Test
    void allThatIsPlacedInPodsHasOneAndAStressStandsBesideTheBrokers() {
        Variant variant = Plans.only(ALL);
        assertThat(List.of(
                        variant.load().placed(),
                        variant.cluster().placed(),
                        variant.bridge().placed(),
                        during(variant, "run")))
                .containsOnly(spread(PlacedSpec.Spread.EVEN));
        assertThat(during(variant, "stress")).isEqualTo(spread(PlacedSpec.Spread.BESIDE_BROKERS));
        assertThat(variant.inPods()).isTrue();
        assertThat(variant.placements()).isEmpty();
        assertThat(variant.cluster().here()).isFalse();
    }

    @Test
    void aSectionChoosesTheNodesOfItsPods() {
        Variant variant = Plans.read(
                        ALL,
                        Plans.set(
                                "load.apart=node",
                                "during.stress.placed=kubernetes",
                                "during.run.beside=brokers",
                                "cluster.placed=kubernetes"))
                .variants()
                .get(0);
        assertThat(variant.load().placed()).isEqualTo(spread(PlacedSpec.Spread.APART));
        assertThat(during(variant, "run")).isEqualTo(spread(PlacedSpec.Spread.BESIDE_BROKERS));
        assertThat(during(variant, "stress")).as("a place of its own").isEqualTo(spread(PlacedSpec.Spread.EVEN));
    }

    @Test
    void aSectionMayRunWhereTheRunIsConducted() {
        Variant variant = Plans.only(IMAGE + "placed: kubernetes\ncluster: { placed: here }");
        assertThat(variant.cluster().placed()).isEqualTo(PlacedSpec.HERE);
        assertThat(variant.load().placed()).isEqualTo(spread(PlacedSpec.Spread.EVEN));
    }

    @Test
    void aVariantMayMoveItsPods() {
        assertThat(Plans.read(IMAGE + """
                        cluster: { fresh: trial }
                        placed: kubernetes
                        variants: { disk: {}, fast: { kubernetes: { storage: fast } }, here: { placed: here } }
                        """).variants())
                .extracting(Variant::inPods)
                .containsExactly(true, true, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "placed: kubernetes|placed: nothing says which image has Weir in it; write kubernetes: { image: registry.example.com/weir:0.1.0 }",
                "load: { placed: kubernetes }|load.placed: nothing says which image",
                "kubernetes: { image: w }%nload: { placed: kubernetes, within: { io: 5MiB/s } }|1m:load.within.io: Kubernetes limits no disk traffic of a pod",
                "kubernetes: { image: w }%ncluster: { placed: kubernetes }%nbefore: [drop caches]|before: 'drop caches' drops the files of brokers on this machine; leave it out, or write cluster: { placed: here }",
                "kubernetes: { image: w }%nload: { placed: kubernetes, within: { cpus: [0, 1] } }|load.within.cpus: Kubernetes lets nobody choose the cores of a pod; write cpu: 2, or run it on hosts",
                "kubernetes: { image: w }%ncluster: { placed: kubernetes, within: { io: 5MiB/s } }|cluster.within.io: Kubernetes limits no",
                "kubernetes: { image: w }%nload: { engine: http }%nbridge: { gateway: { within: { cpus: [0] } }, placed: kubernetes }|bridge.gateway.within.cpus: Kubernetes lets",
                "kubernetes: { image: w }%nplaced: kubernetes%nduring: { x: { at: 1s, stress: {}, within: { io: 5MiB/s } } }|during.x.within.io: Kubernetes limits no",
                "kubernetes: { image: w }%nplaced: kubernetes%nduring: { x: { at: 1s, load: { rate: 1/s, within: { cpus: [0] } } } }|during.x.load.within.cpus: Kubernetes lets",
                "kubernetes: { image: w }%ncluster: { placed: kubernetes, data: /d }|cluster.data: brokers in pods keep their data on a claim",
                "kubernetes: { image: w }%ncluster: { placed: kubernetes, brokers: [{ data: /d }] }|cluster.brokers: brokers in pods keep their data on a claim",
                "load: { apart: node }|load.apart: chooses the nodes of pods, and this runs in none; leave it out, or write placed: kubernetes",
                "during: { x: { at: 1s, run: a, beside: brokers } }|during.x.beside: chooses the nodes of pods",
                "kubernetes: { image: w }%nload: { placed: kubernetes, beside: brokers, apart: node }|load: 'apart' is not taken beside 'beside'",
                "kubernetes: { image: w }%nload: { placed: kubernetes, apart: rack }|'rack' is not a valid value",
                "kubernetes: { image: w }%nplaced: kubernetes%ncluster: { controllers: 1 }%nduring: { x: { at: 1s, kill: broker 1, apart: node } }|during.x.apart: only a stress and a run have a place of their own; leave apart out",
                "kubernetes: { image: w }%nplaced: kubernetes%ncluster: { placed: here }%nduring: { x: { at: 1s, stress: {}, placed: kubernetes, beside: brokers } }|during.x.beside: there are no brokers in pods to be beside; leave it out, or write cluster: { placed: kubernetes }",
                "kubernetes: { image: w }%nload: { placed: kubernetes, beside: brokers, rate: 1/s }%ncluster: { bootstrap: `k:9092` }|load.beside: there are no brokers in pods",
                "kubernetes: { image: w }%nplaced: kubernetes%ncluster: { controllers: 1 }%nduring: { x: { at: 1s, network: { broker: 1, cut: true } } }|during.x.network: relays stand on this machine",
                "kubernetes: { image: w }%nplaced: kubernetes%ncluster: { controllers: 1 }%nduring: { x: { at: 1s, disk: { broker: 1, full: true } } }|during.x.disk: only brokers on this machine",
                "kubernetes: { image: w }%ncluster: { placed: kubernetes }%nload: { placed: { hosts: [a] } }|load.placed: runs on hosts, and cluster.placed in pods, which hosts do not reach",
                "kubernetes: { image: w }%nvariants: { x: { load: { placed: kubernetes } }, y: { load: { placed: { hosts: [a] } } } }|load.placed: runs on hosts, and load.placed in pods",
                "kubernetes: { image: w }%nplaced: kubernetes%ncluster: { fresh: trial }%nvariants: { x: {}, y: { kubernetes: { image: v } } }|kubernetes.image: 'v' is not 'w', as in variant 'x', and a run has one",
                "kubernetes: { image: w }%nplaced: kubernetes%ncluster: { fresh: trial }%nvariants: { x: {}, y: { kubernetes: { namespace: v } } }|kubernetes.namespace: 'v' is not 'weir'"
            })
    void whatPodsCannotDoIsTold(String yaml, String said) {
        assertThat(Plans.problems(String.format(yaml.replace('`', '"')))).contains(said.replace("1m:", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "namespace: My_Lab|'My_Lab' is no name of a namespace",
                "namespace: -a|'-a' is no name of a namespace",
                "namespace: a.b|'a.b' is no name of a namespace",
                "image: 'Weir:'|'Weir:' is no image; write it like registry.example.com/weir:0.1.0",
                "image: 'a b'|'a b' is no image",
                "storage: Fast|'Fast' is no name of a storage class",
                "nodes: { -pool: a }|'-pool' is no label of Kubernetes",
                "nodes: { a/b/c: a }|'a/b/c' is no label of Kubernetes",
                "nodes: { pool: 'a b' }|'a b' is no value of a label of Kubernetes",
                "replicas: 3|kubernetes.replicas: is not a key here"
            })
    void whatKubernetesDoesNotTakeIsToldWhereItStands(String pods, String said) {
        assertThat(Plans.problems("kubernetes: { " + pods + " }"))
                .contains(said)
                .contains("x.yaml:1:");
        String longName = "a".repeat(64);
        assertThat(Plans.problems("kubernetes: { namespace: " + longName + " }"))
                .contains("is no name of a namespace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "namespace: load-tests",
                "image: weir",
                "image: 'localhost:5000/a/weir:0.1.0-SNAPSHOT'",
                "image: 'r.example.com/weir@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'",
                "storage: rook-ceph.block",
                "nodes: { kubernetes.io/arch: amd64, 'node-role.kubernetes.io/kafka': '' }"
            })
    void whatKubernetesTakesIsTaken(String pods) {
        assertThat(Plans.problems("kubernetes: { " + pods + " }")).isEmpty();
    }
}
