package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.Plans;
import weir.plan.Variant;

class BacklogChecksTest {
    @Test
    void deliverReadsABacklog() {
        Variant variant = Plans.only("load: { workload: deliver, rate: 1k/s, backlog: { size: 1MiB, cache: cold } }");
        assertThat(variant.load().catchesUp()).isTrue();
        assertThat(variant.load().backlog().cold()).isTrue();
        assertThat(Plans.only("load: { workload: deliver, rate: 1k/s }").load().catchesUp())
                .isFalse();
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
