package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    @ParameterizedTest
    @ValueSource(strings = {"consume, backlog: 1k records", "deliver", "stream, from: x, to: x"})
    void nothingCanBeReadFromNull(String workload) {
        assertThat(problem("workload: " + workload)).contains("load.workload: target null keeps nothing that");
    }

    @Test
    void nullHasNoTransactions() {
        assertThat(problem("transaction: each")).contains("load.transaction: target null has no transactions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"broker: { num.io.threads: 4 }", "security: SSL", "kafka: 3.9.2", "bootstrap: 'x:1'"})
    void whatIsAskedOfBrokersChangesNothingThere(String cluster) {
        String yaml = "cluster: { " + cluster + " }\nload: { target: null }";
        assertThat(Plans.problems(yaml)).contains("x.yaml:1:").contains("so this changes nothing; write cluster: null");
    }

    @Test
    void nullSpeaksNoTlsAndKeepsNoProperties() {
        String client = "cluster: { client: { security.protocol: %s } }%nload: { target: null }";
        assertThat(Plans.problems(String.format(client, "SSL"))).contains("speaks PLAINTEXT only, not 'SSL'");
        assertThat(Plans.problems(String.format(client, "PLAINTEXT"))).isEmpty();
        assertThat(problem("producer: { security.protocol: SSL }")).contains("PLAINTEXT only");
        assertThat(Plans.problems("load: { target: null }\ntopics: { t: { config: { retention.ms: 1 } } }"))
                .contains("topics.t.config: target null keeps no records");
    }

    @Test
    void nullHasNoBrokersToDisturb() {
        assertThat(Plans.problems(
                        "load: { target: null }\nduring: { x: { at: 1s, network: { broker: 1, delay: 1ms } } }"))
                .contains("during.x: target null has no brokers to disturb");
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

    private static String problem(String load) {
        return Plans.problems("load: { target: null, " + load + " }");
    }
}
