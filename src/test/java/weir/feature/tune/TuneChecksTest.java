package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trials;

class TuneChecksTest {
    private static TuneSpec tune(Experiment experiment) {
        return (TuneSpec) experiment.adaptive().get(0);
    }

    @Test
    void tuneSpaceIsReadFromTheFile() {
        Experiment experiment = Plans.read("search: { tune: { space: { load.producer.batch.size: [65536, 16384],"
                + " load.producer.compression.type: [none, lz4] }, at: 20k/s, budget: 10m } }");
        TuneSpec tune = tune(experiment);
        assertThat(tune.space().keySet()).containsExactly("load.producer.batch.size", "load.producer.compression.type");
        assertThat(tune.at()).isInstanceOf(RateSpec.Fixed.class);
        assertThat(tune.budget()).isEqualTo(Duration.ofMinutes(10));
        assertThat(SettingSpace.Axis.of("load.producer.batch.size", List.of("65536", "16384"))
                        .values())
                .containsExactly("16384", "65536");
        assertThat(tune.defaults(experiment.variants().get(0)))
                .containsEntry("load.producer.batch.size", "16384")
                .containsEntry("load.producer.compression.type", "none");
        assertThat(Trials.of(experiment))
                .as("the search is the whole experiment")
                .isEmpty();
        assertThat(Estimate.of(experiment).time()).isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
    }

    @Test
    void minimumTuneBudgetIsSufficient() {
        TuneSpec asked = new TuneSpec(
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
        // The finals of four points and the defaults: 4 × 5 × 18 s, and a quarter more to read records back.
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
    void oldNameOfAcksAllIsTheSameValue() {
        Experiment experiment = Plans.read("search: { tune: { space: { load.producer.acks: [\"-1\", 1] } } }");
        assertThat(tune(experiment).defaults(experiment.variants().get(0))).containsEntry("load.producer.acks", "-1");
    }
}
