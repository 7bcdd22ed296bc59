package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.plan.read.Overrides;
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

    private static List<Caveat> caveats(
            Experiment experiment, Map<String, List<Property>> properties, List<TrialResult> trials) {
        return RunCaveats.of(
                experiment,
                RequestedExperiment.of(experiment, "test", "weir"),
                new Machine(Map.of(), properties, List.of()),
                trials);
    }

    private static List<Caveat> caveats(String load, String b, int repeats, Map<String, List<Property>> properties) {
        List<TrialResult> trials = new ArrayList<>();
        for (int repeat = 1; repeat <= repeats; repeat++) {
            trials.add(Sample.GOOD.trial("a", repeat));
            trials.add(Sample.GOOD.trial("b", repeat));
        }
        String plan = "name: e\nload: " + load + "\nvariants: { a: {}, b: { load: " + b + " } }\n";
        return caveats(Plans.read(plan), properties, trials);
    }

    @Test
    void comparisonOfVariantsWithSeveralChangesHasANote() {
        String plan = """
                name: e
                load: { rate: 1/s }
                variants:
                  first: {}
                  a: { load: { producer: { linger.ms: 10 } } }
                  b: { load: { producer: { acks: 1 } } }
                compare: [a / first, b / first]
                """;
        Overrides only = new Overrides(List.of(), List.of(), "", "", List.of("a", "b"), false);
        assertThat(caveats(
                        Plans.read(plan, only),
                        Map.of(),
                        List.of(Sample.GOOD.trial("a", 1), Sample.GOOD.trial("b", 1))))
                .filteredOn(caveat -> caveat.is(RunCaveats.SEVERAL_CHANGES))
                .extracting(Caveat::evidence)
                .containsExactly(
                        "the variants b and a differ in 2 settings: load.producer.acks, load.producer.linger.ms");
    }

    @Test
    void singleRepeatRaisesACaveat() {
        List<Caveat> caveats = caveats("{}", "{ producer: { linger.ms: 10 } }", 1, Map.of());
        assertThat(caveats).extracting(Caveat::type).containsExactly("few-repeats");
        assertThat(caveats.get(0).evidence()).contains("1 of a, 1 of b");
        assertThat(caveats.get(0).trial()).isNull();
    }

    @Test
    void coldStepsRaiseACaveat() {
        TrialResult cold =
                Trials.stepped("base", 1, new double[][] {{20, 11.49, 300}, {40, 33.27, 300}, {80, 50, 300}});
        assertThat(caveats(Plans.read("name: e\nload: { rate: 1/s }\n"), Map.of(), List.of(cold)))
                .singleElement()
                .satisfies(caveat -> {
                    assertThat(caveat.type()).isEqualTo("not-warm");
                    assertThat(caveat.evidence())
                            .isEqualTo("variant base achieved only 57 % of 20/s, and the later step at 40/s achieved"
                                    + " 33.3/s; 83 % of 40/s, and the later step at 80/s achieved 50/s");
                });
    }

    @Test
    void fourRepeatsOfOneChangeAreFine() {
        assertThat(caveats("{}", "{ producer: { linger.ms: 10 } }", 4, Map.of()))
                .isEmpty();
    }

    @Test
    void undeclaredPropertyDifferenceOfVariantsIsADoubt() {
        List<Caveat> caveats =
                caveats("{}", "{ producer: { acks: 1 } }", 4, Map.of("a", List.of(IDEMPOTENT), "b", List.of(NOT)));
        assertThat(caveats).extracting(Caveat::type).containsExactly("variants-differ-in-more");
        assertThat(caveats.get(0).evidence()).contains("b and a").contains("producer enable.idempotence (false, true)");
    }

    @Test
    void declaredPropertyDifferenceRaisesNoCaveat() {
        List<Caveat> caveats = caveats(
                "{}",
                "{ producer: { enable.idempotence: false } }",
                4,
                Map.of("a", List.of(IDEMPOTENT), "b", List.of(NOT)));
        assertThat(caveats).isEmpty();
    }

    @Test
    void severalChangesAtOnceAreNoted() {
        List<Caveat> caveats = caveats("{}", "{ producers: 5, producer: { linger.ms: 10 } }", 4, Map.of());
        assertThat(caveats).extracting(Caveat::type).containsExactly("several-changes");
        assertThat(caveats.get(0).evidence())
                .contains("load.producer.linger.ms")
                .contains("load.producers");
    }

    @Test
    void anIgnoredPropertyIsFoundInThePlan() {
        List<Caveat> caveats =
                caveats("{ workload: produce }", "{ consumer: { fetch.min.bytes: 1000000 } }", 4, Map.of());
        assertThat(caveats).extracting(Caveat::type).containsExactly("property-ignored");
        assertThat(caveats.get(0).weakens()).contains("load.consumer.fetch.min.bytes");
    }
}
