package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trials;
import weir.plan.trial.TuneBudget;

class TuneChecksTest {
    private static final String SPACE = "space: { load.producer.linger.ms: [0, 5] }";

    private static String problem(String tune) {
        return problem(tune, "workload: produce");
    }

    private static String problem(String tune, String load) {
        return Plans.problems("load: { " + load + " }\nsearch: { tune: { " + tune + " } }");
    }

    private static SearchSpec.Tune tune(Experiment experiment) {
        return (SearchSpec.Tune) experiment.adaptive().get(0);
    }

    @Test
    void theFileSaysWhatMayBeTried() {
        Experiment experiment = Plans.read("search: { tune: { space: { load.producer.batch.size: [65536, 16384],"
                + " load.producer.compression.type: [none, lz4] }, at: 20k/s, budget: 10m } }");
        SearchSpec.Tune tune = tune(experiment);
        assertThat(tune.space().keySet()).containsExactly("load.producer.batch.size", "load.producer.compression.type");
        assertThat(tune.at()).isInstanceOf(RateSpec.Fixed.class);
        assertThat(tune.budget()).isEqualTo(Duration.ofMinutes(10));
        assertThat(TuneChecks.axes(tune).get("load.producer.batch.size")).containsExactly("16384", "65536");
        assertThat(TuneChecks.defaults(tune, experiment.variants().get(0)))
                .containsEntry("load.producer.batch.size", "16384")
                .containsEntry("load.producer.compression.type", "none");
        assertThat(Trials.of(experiment))
                .as("the search is the whole experiment")
                .isEmpty();
        assertThat(Estimate.of(experiment).time()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "space: {} | search.tune.space: is empty; write at least one property with two values",
                "budget: 20m | search.tune.space: is empty; write at least one property with two values",
                "space: { load.producer.linger.ms: [] } | search.tune.space.load.producer.linger.ms: takes a list of values",
                "space: { load.producer.linger.ms: [5] } | has nothing to choose from but '5'; write at least two values",
                "space: { load.producer.linger.ms: [5, 5] } | search.tune.space.load.producer.linger.ms: has a value twice",
                "space: { load.producer.linger.msec: [0, 5] } | is not a property of a Kafka producer; did you mean 'linger.ms'?",
                "space: { load.producer.linger.ms: [0, soon] } | 'soon'",
                "space: { load.producers: [1, 2] } | is no property of a client; what can be tuned is load.producer.PROPERTY",
                "space: { topics.t.partitions: [1, 2] } | is no property of a client",
                "space: { linger.ms: [1, 2] } | search.tune.space.linger.ms: is no property of a client; what can be tuned is load.producer.PROPERTY",
                "space: { load.consumer.fetch.min.bytes: [1, 100] } | has no consumers; write workload: deliver",
            })
    void aSpaceThatIsNoneIsRefusedWhereItStands(String tune, String message) {
        assertThat(problem(tune)).startsWith("x.yaml:2:").contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "at: max | search.tune.at: latencies are compared at one rate that all can carry",
                "at: 100% of capacity | search.tune.at: latencies are compared",
                "at: 0/s | search.tune.at: latencies are compared",
                "budget: 1m | search.tune.budget: '1m' is too short: to try 2 points and then measure the defaults and two of them four times takes 306s",
                "of: nobody | search.tune.of: there is no variant 'nobody'",
                "measure: 0s | search.tune.measure: must be above 0s",
                "often: 3 | search.tune.often: is not a key here",
            })
    void whatCannotBeSearchedIsRefusedWhereItStands(String tune, String message) {
        assertThat(problem(SPACE + ", " + tune)).startsWith("x.yaml:2:").contains(message);
    }

    @Test
    void aLoadWithoutThroughputAndLatencyIsRefused() {
        assertThat(problem(SPACE, "workload: consume, backlog: 1M records"))
                .contains("search.tune: variant 'base' requires load.workload: produce or deliver, found 'consume'");
    }

    @Test
    void whatAClientWouldRefuseIsRefusedBefore() {
        assertThat(problem(
                        "space: { load.producer.acks: [1, all] }",
                        "workload: produce, producer: { enable.idempotence: true }"))
                .contains("search.tune.space.load.producer.acks: '1'")
                .contains("exclude each other");
        assertThat(problem("space: { load.producer.partitioner.class: [a, b] }", "workload: produce, engine: wire"))
                .contains("search.tune.space.load.producer.partitioner.class: 'a'");
    }

    @Test
    void theLeastThatIsSaidIsEnough() {
        SearchSpec.Tune asked = new SearchSpec.Tune(
                "",
                Map.of("load.producer.linger.ms", List.of("0", "5")),
                new RateSpec.Max(),
                Duration.ofMinutes(20),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5));
        TuneBudget budget = new TuneBudget(asked, 100);
        assertThat(budget.pair()).isEqualTo(17);
        assertThat(budget.least()).isEqualTo(15 + 1.5 + 17 * (6 + 1.25 * 12));
        assertThat(budget.finalists(budget.pair())).isEqualTo(4);
        assertThat(budget.another(6, 0, 18)).isTrue();
        assertThat(budget.another(5, 2_000, 18)).as("too few to choose from").isTrue();
        // The finals of four and the defaults: 4 × 5 × 18 s, and a quarter more to read them back.
        assertThat(budget.another(6, 1_200 - 450 - 18, 18)).isTrue();
        assertThat(budget.another(6, 1_200 - 450 - 17, 18)).isFalse();
        assertThat(new TuneBudget(asked, 2).another(7, 0, 18)).isTrue();
        assertThat(new TuneBudget(asked, 2).another(8, 0, 18))
                .as("each point four times")
                .isFalse();
        assertThat(budget.rounds(1_200 - 450, 18, 5)).isEqualTo(4);
        assertThat(budget.rounds(1_200 - 270, 18, 2)).isEqualTo(6);
        assertThat(budget.rounds(1_200, 18, 5)).as("however late").isEqualTo(4);
    }

    @Test
    void whoHasNoRateAndIsNotSearchedHasNothingToDo() {
        assertThat(Plans.problems("load: { workload: produce }\nsearch: { tune: { of: a, " + SPACE
                        + " } }\nvariants: { a: {}, b: { load: { producers: 2 } } }"))
                .contains("variant 'b' has no rate, and nothing searches it");
    }

    @Test
    void theOldNameOfAllAcksIsTheSameValue() {
        Experiment experiment = Plans.read("search: { tune: { space: { load.producer.acks: [\"-1\", 1] } } }");
        assertThat(TuneChecks.defaults(tune(experiment), experiment.variants().get(0)))
                .containsEntry("load.producer.acks", "-1");
    }
}
