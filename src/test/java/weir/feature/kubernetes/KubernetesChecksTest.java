package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    @Tag("with-command")
    @Tag("with-http")
    @Tag("with-stress")
    void everyPlacedPartGetsAPodAndStressRunsBesideTheBrokers() {
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
    @Tag("with-command")
    @Tag("with-http")
    @Tag("with-stress")
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
    void partMayRunInTheConductorPod() {
        Variant variant = Plans.only(IMAGE + "placed: kubernetes\ncluster: { placed: here }");
        assertThat(variant.cluster().placed()).isEqualTo(new PlacedSpec.Here());
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
}
