package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.DisturbanceSpec;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Variant;

@NeedsFeature({"hosts", "http", "stress", "command"})
class PlacementTest {
    private static final String ALL = """
            cluster: { brokers: 3 }
            bridge: { gateway: {} }
            load: { engine: { send: http, receive: client } }
            during:
              stress: { at: 1s, stress: {} }
              run: { at: 1s, run: 'true' }
            """;

    private static PlacedSpec.Hosts hosts(String... names) {
        return new PlacedSpec.Hosts(List.of(names), "", PlacedSpec.Start.SSH, List.of("ssh"));
    }

    private static PlacedSpec during(Variant variant, String name) {
        DisturbanceSpec disturbance = Objects.requireNonNull(variant.during().get(name));
        return disturbance.placed();
    }

    private static Variant set(String... set) {
        return Plans.only(ALL, Plans.set(set));
    }

    @Test
    void withoutAWordEverythingRunsHere() {
        Variant variant = Plans.only(ALL);
        assertThat(List.of(
                        variant.load().placed(),
                        variant.cluster().placed(),
                        variant.bridge().placed(),
                        during(variant, "stress"),
                        during(variant, "run")))
                .containsOnly(new PlacedSpec.Here());
        assertThat(variant.cluster().here()).isTrue();
        assertThat(variant.placements()).isEmpty();
    }

    @Test
    void thePlaceOfTheFileIsThatOfEverySection() {
        Variant variant = set("placed.hosts=[a, b]");
        assertThat(List.of(
                        variant.load().placed(),
                        variant.cluster().placed(),
                        variant.bridge().placed(),
                        during(variant, "stress"),
                        during(variant, "run")))
                .containsOnly(hosts("a", "b"));
        assertThat(variant.cluster().here()).isFalse();
        assertThat(variant.cluster().startedByWeir()).isTrue();
        assertThat(variant.placements()).isEqualTo(List.of(hosts("a", "b")));
    }

    @Test
    void aSectionsOwnPlaceWinsAlsoWhenItIsHere() {
        Variant variant = set(
                "placed.hosts=[a]",
                "load.placed=here",
                "cluster.placed.hosts=[b]",
                "bridge.placed={hosts: [c]}",
                "during.run.placed=here",
                "during.stress.placed.hosts=[d]");
        assertThat(variant.load().placed()).isEqualTo(new PlacedSpec.Here());
        assertThat(variant.cluster().placed()).isEqualTo(hosts("b"));
        assertThat(variant.bridge().placed()).isEqualTo(hosts("c"));
        assertThat(during(variant, "run")).isEqualTo(new PlacedSpec.Here());
        assertThat(during(variant, "stress")).isEqualTo(hosts("d"));
    }

    @Test
    void stressIsPlacedWithTheBrokersAndACommandIsNot() {
        Variant variant = set("cluster.placed.hosts=[b]");
        assertThat(during(variant, "stress")).isEqualTo(hosts("b"));
        assertThat(during(variant, "run")).isEqualTo(new PlacedSpec.Here());
        Variant here = set("placed.hosts=[a]", "cluster.placed=here");
        assertThat(during(here, "stress")).isEqualTo(new PlacedSpec.Here());
        assertThat(during(here, "run")).isEqualTo(hosts("a"));
    }

    @Test
    void placementsAreThoseOfLoadBrokersBridgeAndDisturbancesEachOnce() {
        Variant variant = set(
                "load.placed.hosts=[z]",
                "cluster.placed.hosts=[y]",
                "bridge.placed.hosts=[z]",
                "during.stress.placed.hosts=[b]",
                "during.run.placed.hosts=[c]");
        assertThat(variant.placements()).isEqualTo(List.of(hosts("z"), hosts("y"), hosts("c"), hosts("b")));
    }

    @Test
    void nullTargetBrokersHaveNoHosts() {
        assertThat(Plans.only("placed: { hosts: [a] }\nload: { target: null, placed: here }")
                        .placements())
                .isEmpty();
    }

    @Test
    void variantAndShortFormOverrideThePlacement() {
        String file = """
                placed: { hosts: [a], address: x }
                cluster: { fresh: trial }
                variants: { a: {}, b: { placed: { hosts: [b] } }, c: { placed: null } }
                short: { placed: here }
                """;
        assertThat(Plans.read(file).variants())
                .extracting(variant -> variant.load().placed())
                .containsExactly(
                        new PlacedSpec.Hosts(List.of("a"), "x", PlacedSpec.Start.SSH, List.of("ssh")),
                        hosts("b"),
                        new PlacedSpec.Here());
        assertThat(Plans.read(file, Overrides.SHORT).variants())
                .allSatisfy(variant -> assertThat(variant.placements()).isEmpty());
    }

    @Test
    void anotherClusterOfTheCommandLineHasNoPlace() {
        Overrides given = new Overrides(List.of(), List.of(), "k:9092", "", List.of(), false);
        Variant variant = Plans.only("cluster: { placed: { hosts: [a] } }\nload: { rate: 1/s }", given);
        assertThat(variant.placements()).isEmpty();
    }
}
