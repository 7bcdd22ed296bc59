package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Experiment;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.Sample;

class RunCaveatsTest {
    private static final Property IDEMPOTENT =
            new Property("producer", "enable.idempotence", "", "true", "true", Source.DEFAULT);
    private static final Property NOT =
            new Property("producer", "enable.idempotence", "", "false", "true", Source.OVERRIDDEN);

    @TempDir
    Path folder;

    private List<Caveat> caveats(String load, String b, int repeats, Map<String, List<Property>> properties)
            throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"), "name: e\nload: " + load + "\nvariants: { a: {}, b: { load: " + b + " } }\n");
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= repeats; repeat++) {
            trials.add(Sample.GOOD.trial("a", repeat));
            trials.add(Sample.GOOD.trial("b", repeat));
        }
        return RunCaveats.of(
                experiment,
                RequestedExperiment.of(experiment, "test", "weir"),
                new Machine(Map.of(), properties, List.of()),
                trials);
    }

    @Test
    void variantsThatAreComparedAlthoughTheirFileComparesOthersHaveANoteOfSeveralChanges() throws IOException {
        Path file = Files.writeString(folder.resolve("e.yaml"), """
                name: e
                load: { rate: 1/s }
                variants:
                  first: {}
                  a: { load: { producer: { linger.ms: 10 } } }
                  b: { load: { producer: { acks: 1 } } }
                compare: [a / first, b / first]
                """);
        Experiment experiment =
                PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of("a", "b"), false));
        assertThat(RunCaveats.of(
                        experiment,
                        RequestedExperiment.of(experiment, "test", "weir"),
                        new Machine(Map.of(), Map.of(), List.of()),
                        List.of(Sample.GOOD.trial("a", 1), Sample.GOOD.trial("b", 1))))
                .filteredOn(caveat -> caveat.is(CaveatType.SEVERAL_CHANGES))
                .extracting(Caveat::evidence)
                .containsExactly("b and a differ in 2 settings: load.producer.acks, load.producer.linger.ms");
    }

    @Test
    void aSingleRepeatIsNoResult() throws IOException {
        List<Caveat> caveats = caveats("{}", "{ producer: { linger.ms: 10 } }", 1, Map.of());
        assertThat(caveats).extracting(Caveat::type).containsExactly(CaveatType.FEW_REPEATS.word());
        assertThat(caveats.get(0).evidence()).contains("1 of a, 1 of b");
        assertThat(caveats.get(0).trial()).isNull();
    }

    @Test
    void brokersOfAGivenClusterThatAreNotSetUpForAPresetAreANoteBesideIt() throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"),
                "name: e\nload: { rate: 1/s }\ncluster: { bootstrap: \"h:1\" }\nvariants: { a: { preset: durability } }\n");
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        List<Property> brokers = List.of(
                new Property("broker 1", "min.insync.replicas", "", "1", "1", Source.DEFAULT),
                new Property("broker 2", "min.insync.replicas", "", "2", "1", Source.CLUSTER),
                new Property("broker 1", "unclean.leader.election.enable", "", "false", "false", Source.DEFAULT),
                new Property("broker 1", "num.io.threads", "", "8", "8", Source.DEFAULT));
        assertThat(RunCaveats.of(
                        experiment,
                        RequestedExperiment.of(experiment, "test", "weir"),
                        new Machine(Map.of(), Map.of("a", brokers), List.of()),
                        List.of(Sample.GOOD.trial("a", 1))))
                .singleElement()
                .satisfies(caveat -> {
                    assertThat(caveat.type()).isEqualTo(CaveatType.PRESET_NOT_MET.word());
                    assertThat(caveat.evidence())
                            .isEqualTo("a: the brokers do not have what its preset asks of them:"
                                    + " min.insync.replicas is 1 / 2 (2 asked)");
                });
    }

    @Test
    void stepsThatFailedBeforeFasterOnesCarriedMoreAreToldToBeCold() throws IOException {
        Path file = Files.writeString(folder.resolve("e.yaml"), "name: e\nload: { rate: 1/s }\n");
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        TrialResult cold =
                Trials.stepped("base", 1, new double[][] {{20, 11.49, 300}, {40, 33.27, 300}, {80, 50, 300}});
        assertThat(RunCaveats.of(
                        experiment,
                        RequestedExperiment.of(experiment, "test", "weir"),
                        new Machine(Map.of(), Map.of(), List.of()),
                        List.of(cold)))
                .singleElement()
                .satisfies(caveat -> {
                    assertThat(caveat.type()).isEqualTo("not-warm");
                    assertThat(caveat.evidence())
                            .isEqualTo("base achieved 57 % of 20/s, and 40/s carried 33.3/s later;"
                                    + " 83 % of 40/s, and 80/s carried 50/s later");
                });
    }

    @Test
    void fourRepeatsOfOneChangeAreFine() throws IOException {
        assertThat(caveats("{}", "{ producer: { linger.ms: 10 } }", 4, Map.of()))
                .isEmpty();
    }

    @Test
    void whatFollowsFromAVariantAndIsNotSaidIsADoubt() throws IOException {
        List<Caveat> caveats =
                caveats("{}", "{ producer: { acks: 1 } }", 4, Map.of("a", List.of(IDEMPOTENT), "b", List.of(NOT)));
        assertThat(caveats).extracting(Caveat::type).containsExactly(CaveatType.VARIANTS_DIFFER_IN_MORE.word());
        assertThat(caveats.get(0).evidence()).contains("b and a").contains("producer enable.idempotence (false, true)");
    }

    @Test
    void aVariantThatSaysItAllDiffersInWhatItSays() throws IOException {
        List<Caveat> caveats = caveats(
                "{}",
                "{ producer: { enable.idempotence: false } }",
                4,
                Map.of("a", List.of(IDEMPOTENT), "b", List.of(NOT)));
        assertThat(caveats).isEmpty();
    }

    @Test
    void severalChangesAtOnceAreNoted() throws IOException {
        List<Caveat> caveats = caveats("{}", "{ producers: 5, producer: { linger.ms: 10 } }", 4, Map.of());
        assertThat(caveats).extracting(Caveat::type).containsExactly(CaveatType.SEVERAL_CHANGES.word());
        assertThat(caveats.get(0).evidence())
                .contains("load.producer.linger.ms")
                .contains("load.producers");
    }

    @Test
    void anIgnoredPropertyIsFoundInThePlan() throws IOException {
        List<Caveat> caveats =
                caveats("{ workload: produce }", "{ consumer: { fetch.min.bytes: 1000000 } }", 4, Map.of());
        assertThat(caveats).extracting(Caveat::type).containsExactly(CaveatType.PROPERTY_IGNORED.word());
        assertThat(caveats.get(0).weakens()).contains("load.consumer.fetch.min.bytes");
    }

    /** The caveats of a way through gateways beside one that carries this much; both are given, or one writes to Kafka. */
    private List<Caveat> ways(double slow, double fast, boolean bridged) throws IOException {
        Path file = Files.writeString(folder.resolve("e.yaml"), """
                name: e
                bridge: { url: "http://one" }
                load: { workload: produce, engine: { send: http, receive: client } }
                variants:
                  a: {}
                  b: { bridge: %s }
                """.formatted(
                        bridged ? "{ url: \"http://two\" }" : "null, load: { engine: client }"));
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= 4; repeat++) {
            trials.add(Sample.GOOD.acked(fast).trial("a", repeat));
            trials.add(Sample.GOOD.acked(slow).trial("b", repeat));
        }
        return RunCaveats.of(
                experiment,
                RequestedExperiment.of(experiment, "test", "weir"),
                new Machine(Map.of(), Map.of(), List.of()),
                trials);
    }

    @Test
    void aWayThroughServersBelowATenthOfAnotherIsNoCostButAFault() throws IOException {
        List<Caveat> caveats = ways(90, 11_400, true);
        assertThat(caveats).extracting(Caveat::type).contains(CaveatType.SLOW_PATH.word());
        Caveat slow = caveats.stream()
                .filter(caveat -> caveat.is(CaveatType.SLOW_PATH))
                .findFirst()
                .orElseThrow();
        assertThat(slow.evidence()).isEqualTo("b carried 90/s, a 11,400/s");
        assertThat(slow.weakens()).isEqualTo("every ratio to b");
        assertThat(ways(2_000, 11_400, true)).noneMatch(caveat -> caveat.is(CaveatType.SLOW_PATH));
    }

    @Test
    void whoWritesToKafkaMayBeFarFaster() throws IOException {
        assertThat(ways(500_000, 11_400, false)).noneMatch(caveat -> caveat.is(CaveatType.SLOW_PATH));
    }
}
