package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.Plans;
import weir.plan.trial.Estimate;

class TargetChecksTest {
    @Test
    void producingToNullCanRunAndIsWrittenWithoutQuotes() {
        Experiment experiment = Plans.read("load: { target: null }\nverify: true");
        assertThat(experiment.variants().get(0).load().target()).isEqualTo(LoadSpec.Target.NULL);
        assertThat(Unbuilt.in(experiment)).isEmpty();
        assertThat(Estimate.of(experiment).bytes()).isZero();
        assertThat(Estimate.of(experiment).bounded()).isTrue();
    }

    @Test
    void whatWouldBeReadBackIsNotExpected() {
        assertThat(Plans.problems("load: { target: null }\nexpect: [ lost == 0 ]"))
                .contains("has no lost: target null keeps nothing that could be read back");
    }

    @Test
    void variantBesideOneWithBrokersNeedsNoFreshOnes() {
        assertThat(Plans.problems("""
                cluster: { kafka: 3.9.2 }
                variants:
                  real: {}
                  sink: { cluster: null, load: { target: null } }
                """)).isEmpty();
    }
}
