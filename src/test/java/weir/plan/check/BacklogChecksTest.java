package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Plans;
import weir.plan.Variant;

class BacklogChecksTest {
    @ParameterizedTest
    @ValueSource(strings = {"produce", "write"})
    void whoHasNoReaderHasNoBacklog(String workload) {
        assertThat(Plans.problems("load: { workload: " + workload + ", backlog: 1k records }"))
                .contains("load.backlog: the workload " + workload + " has no reader");
    }

    @Test
    void deliverReadsABacklog() {
        Variant variant = Plans.only("load: { workload: deliver, rate: 1k/s, backlog: { size: 1MiB, cache: cold } }");
        assertThat(variant.load().catchesUp()).isTrue();
        assertThat(variant.load().backlog().cold()).isTrue();
        assertThat(Plans.only("load: { workload: deliver, rate: 1k/s }").load().catchesUp())
                .isFalse();
    }

    @Test
    void nobodyKnowsHowManyOperationsCatchingUpTakes() {
        assertThat(Plans.problems(
                        "load: { workload: deliver, rate: 1k/s, backlog: 1k records }\nmeasure: { operations: 10 }"))
                .contains("measure: how long catching up takes is not known before");
    }

    @Test
    void aBacklogToCatchUpWithHasNoTransactions() {
        assertThat(Plans.problems("load: { workload: deliver, backlog: 1k records, transaction: each }"))
                .contains("load.transaction: deliver writes its backlog without transactions");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"load: { workload: consume, backlog: { size: 1MiB, cache: cold } }", "before: [drop caches]"})
    void whatLiesElsewhereCannotBeDropped(String yaml) {
        assertThat(Plans.problems("cluster: { bootstrap: 'x:1' }\n" + yaml))
                .contains("of a given cluster are out of reach");
    }

    @Test
    void onlyCatchingUpHasACatchUp() {
        assertThat(Plans.problems("load: { workload: deliver, rate: 1k/s }\nexpect: [catch-up < 60s]"))
                .contains("only deliver with a backlog has readers that catch up");
        assertThat(
                        Plans.problems(
                                "load: { workload: deliver, rate: 1k/s, backlog: 1k records }\nexpect: [catch-up during drain < 60s]"))
                .contains("'catch-up' is known of a whole trial");
    }
}
