package weir.feature.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.ByteSize;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;

/** Second loads that a file may ask for, and what it is told about others. */
class SecondLoadTest {
    private static final String PLAN = "cluster: { broker: { num.io.threads: 2 } }\n"
            + "topics: { orders: { partitions: 3 }, audit: { partitions: 2 } }\n"
            + "load: { rate: 1k/s, topics: [orders] }\nmeasure: 60s\n";

    private static Variant variant(String second) {
        return Plans.only(PLAN + "during: { tenant: { at: 10s, " + second + " } }");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    load: {}                                            | during.tenant: a second load has no end; write for: 60s
                    for: 20s, load: { rate: 1k }                        | during.tenant.load.rate: '1k' is not a rate
                    for: 20s, load: { rate: 50% of capacity }           | during.tenant.load.rate: must be one rate, such as max or 10k/s, found '50% of capacity'
                    for: 20s, load: { rate: { steps: [1k/s for 9s] } }  | during.tenant.load.rate: must be one rate, such as max or 10k/s, found '1 steps'
                    for: 20s, load: { sendres: 3 }                      | during.tenant.load.sendres: is not a key here
                    for: 20s, load: { workload: deliver }               | during.tenant.load.workload: is not a key here
                    for: 20s, load: { producer: { lingr.ms: 3 } }       | during.tenant.load.producer.lingr.ms: is not a property of a Kafka producer
                    for: 20s, load: { topics: [audits] }                | during.tenant.load.topics: there is no topic 'audits'; did you mean 'audit'?
                    for: 20s, load: { topics: [orders] }                | during.tenant.load: must use other topics than the experiment's own load, found topic 'orders' in both
                    for: 20s, load: { key: { column: 2 } }              | during.tenant.load: load.key.column: requires load.value.content: planes
                    for: 20s, load: {}, quota: fast                     | during.tenant.quota: 'fast' is not
                    for: 20s, kill: broker 1, quota: 1MB/s              | during.tenant: 'quota' requires 'load'
                    """)
    void impossibleSecondLoadIsRefused(String second, String message) {
        assertThatThrownBy(() -> variant(second)).hasMessageContaining(message);
    }

    @Test
    void secondLoadNeedsBrokersOfWeir() {
        assertThatThrownBy(() -> Plans.only(PLAN.replace("broker: { num.io.threads: 2 }", "bootstrap: \"b:9092\"")
                        + "during: { tenant: { at: 10s, for: 20s, load: { rate: 1k/s } } }"))
                .hasMessageContaining("Weir adds a load only to brokers that it starts");
    }

    @Test
    void secondLoadTakesThePlaceOfTheLoadOnATopicOfItsOwn() {
        Variant variant = variant("for: 20s, quota: 1MB/s, load: { rate: max, producers: 2, value: { size: 2KiB },"
                + " producer: { linger.ms: 5 } }");
        SecondLoad.Load second = (SecondLoad.Load) variant.during().get("tenant");
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
        SecondLoad.Load second = (SecondLoad.Load) variant.during().get("tenant");
        assertThat(second.topics("tenant")).isEqualTo(List.of("audit"));
        assertThat(second.clientId("tenant")).isEqualTo("noisy");
        assertThat(second.in(variant, "tenant").usedTopics())
                .containsEntry("audit", variant.topics().get("audit"))
                .hasSize(1);
    }
}
