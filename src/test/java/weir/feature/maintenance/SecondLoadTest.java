package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import weir.plan.ByteSize;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.trial.Estimate;
import weir.run.Preflight;
import weir.run.PreflightException;
import weir.run.RunOptions;

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
                .containsEntry("load.workload", "produce")
                .allSatisfy((path, value) -> assertThat(path).doesNotStartWith("during."));
    }

    @Test
    void secondLoadCanReadItsRecordsWithoutAGroup() {
        Variant variant = variant("for: 20s, load: { workload: deliver, rate: 1k/s, consumers: 2, engine: wire,"
                + " consumer: { fetch.min.bytes: 100 } }");
        Variant tenant = variant.furtherLoads().get(0);
        LoadSpec load = tenant.load();
        assertThat(load.workload()).isEqualTo(LoadSpec.Workload.DELIVER);
        assertThat(load.consumers().count()).isEqualTo(2);
        assertThat(load.consumers().engine()).isEqualTo(LoadSpec.Engine.WIRE);
        assertThat(load.consumers().group().named()).isFalse();
        assertThat(load.consumers().properties()).isEqualTo(Map.of("fetch.min.bytes", "100"));
    }

    @Test
    void recordsOfASecondLoadCountInTheEstimateAndInTheRateLimit() {
        String plan = "cluster: { bootstrap: \"127.0.0.1:1\" }\nload: { rate: 100/s }\nwarmup: none\nmeasure: 10s\n"
                + "during: { tenant: { at: 1s, for: 5s, load: { rate: 200/s } } }";
        Experiment experiment = Plans.read(plan);
        assertThat(Estimate.of(experiment).records()).isEqualTo(2_000);
        assertThatThrownBy(() -> Preflight.check(
                        experiment, new RunOptions(Path.of("runs"), true, 299, 0, Path.of(""), "test", "weir run")))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("reaches 300/s, above --max-rate 299/s");
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
