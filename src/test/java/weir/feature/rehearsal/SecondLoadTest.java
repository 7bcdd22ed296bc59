package weir.feature.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.plan.ByteSize;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;

/** The load that a second load of a file becomes. */
class SecondLoadTest {
    private static final String PLAN = """
            cluster: { broker: { num.io.threads: 2 } }
            topics: { orders: { partitions: 3 }, audit: { partitions: 2 } }
            load: { rate: 1k/s, topics: [orders] }
            measure: 60s
            """;

    private static Variant variant(String second) {
        return Plans.only(PLAN + "during: { tenant: { at: 10s, " + second + " } }");
    }

    @Test
    void secondLoadTakesThePlaceOfTheLoadOnATopicOfItsOwn() {
        Variant variant = variant("for: 20s, quota: 1MB/s, load: { rate: max, producers: 2, value: { size: 2KiB },"
                + " producer: { linger.ms: 5 } }");
        SecondLoad.Load second =
                (SecondLoad.Load) Objects.requireNonNull(variant.during().get("tenant"));
        assertThat(second.quota()).isEqualTo(new ByteSize(1_000_000));
        Variant tenant = second.in(variant, "tenant");
        LoadSpec load = tenant.load();
        assertThat(load.workload()).isEqualTo(LoadSpec.Workload.PRODUCE);
        assertThat(load.rate()).isEqualTo(new RateSpec.Max());
        assertThat(load.producers().count()).isEqualTo(2);
        assertThat(load.producers().engine()).isEqualTo(LoadSpec.Engine.CLIENT);
        assertThat(load.producers().properties())
                .containsExactlyInAnyOrderEntriesOf(Map.of("client.id", "tenant", "linger.ms", "5"));
        assertThat(load.consumers().group().named()).isFalse();
        assertThat(load.backlog().none()).isTrue();
        assertThat(load.transaction().none()).isTrue();
        assertThat(load.placed()).isEqualTo(variant.load().placed());
        assertThat(tenant.usedTopics())
                .containsOnlyKeys("tenant")
                .extractingByKey("tenant")
                .extracting(TopicSpec::partitions)
                .isEqualTo(3);
        assertThat(tenant.measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(20)));
        assertThat(tenant.values())
                .containsEntry("load.value.size", "2KiB")
                .doesNotContainKey("load.consumers")
                .allSatisfy((path, value) -> assertThat(path).doesNotStartWith("during."));
    }

    @Test
    void secondLoadUsesTheTopicThatItNames() {
        Variant variant = variant("for: 20s, load: { topics: audit, producer: { client.id: noisy } }");
        SecondLoad.Load second =
                (SecondLoad.Load) Objects.requireNonNull(variant.during().get("tenant"));
        assertThat(second.topics("tenant")).isEqualTo(List.of("audit"));
        assertThat(second.clientId("tenant")).isEqualTo("noisy");
        assertThat(second.in(variant, "tenant").usedTopics())
                .containsEntry("audit", variant.topics().get("audit"))
                .hasSize(1);
    }
}
