package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.trial.Estimate;

/** Backlogs and null targets, and the metrics that a variant has with them. */
class MetricNeedsTest {
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
