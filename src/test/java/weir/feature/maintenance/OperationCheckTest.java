package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.Variant;

/** Operations that a file may ask for, and what it is told about others. */
class OperationCheckTest {
    private static final String THREE =
            "cluster: { kafka: 4.3.1, brokers: 3, fresh: trial }\ntopics: { t: { replication: 2 } }\n";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    restart: { brokers: [1, 4] }                       | there is no broker '4'; the brokers are 1 to 3, or write each
                    restart: { brokers: all }                          | there is no broker 'all'; the brokers are 1 to 3, or write each
                    upgrade: { to: 3.9.2 }                             | must be an upgrade: the brokers run 4.3.1, found 'to: 3.9.2'; write a release that is not older, or downgrade
                    downgrade: { to: 4.4.0 }                           | must be a downgrade: the brokers run 4.3.1, found 'to: 4.4.0'; write an older release, or upgrade
                    downgrade: { to: 3.9.2 }                           | must be at least 4.3.1, because older brokers do not start with the features of this release
                    reassign: { topic: x, brokers: [1, 2] }            | there is no topic 'x'; the topics are t
                    reassign: { topic: t, brokers: [1, 7] }            | there is no broker 7; the brokers are 1, 2, 3
                    reassign: { topic: t, brokers: [1] }               | has 1 brokers for 2 replicas of each partition; add brokers
                    drain: { broker: 4 }                               | there is no broker 4; the brokers are 1, 2, 3
                    add: { brokers: 3 }                                | makes 6 brokers; must be at most 5 with those of cluster.brokers
                    drain: { broker: 3 }                               | leaves 2 brokers for 3 replicas of a partition; write at least cluster: { brokers: 4 }
                    """)
    void impossibleOperationIsRefused(String operation, String message) {
        assertThatThrownBy(() -> Plans.only(
                        THREE + "load: { rate: 1k/s }\nmeasure: 20s\nduring: { x: { at: 1s, " + operation + " } }"))
                .hasMessageContaining("during.x: " + message);
    }

    private static Variant loaded(String load, String operation) {
        return Plans.only("cluster: { kafka: 4.4.0, brokers: 4, fresh: trial }\n"
                + "topics: { t: { partitions: 12, replication: 3 }, u: { partitions: 4, replication: 1 } }\n"
                + "load: { topics: t, " + load + " }\nmeasure: 20s\nduring: { x: { at: 1s, " + operation + " } }");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    drain: { broker: 4, throttle: 5MB/s }                     | during.x.drain.throttle: must be above 7.68MB/s, because one broker replicates that much of the load; found '5MB/s'
                    add: { throttle: 5MB/s }                                  | during.x.add.throttle: must be above 6.83MB/s, because one broker replicates that much of the load; found '5MB/s'
                    reassign: { topic: t, brokers: [1, 2, 3], throttle: 1B/s } | during.x.reassign.throttle: must be above 7.68MB/s, because one broker replicates that much of the load; found '1B/s'
                    """)
    void throttleBelowTheLoadIsRefused(String operation, String message) {
        assertThatThrownBy(() -> loaded("rate: 10k/s, value: { size: 1KiB }", operation))
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    rate: 10k/s                                      | drain: { broker: 4, throttle: 8MB/s }
                    rate: 10k/s                                      | drain: { broker: 4 }
                    rate: 10k/s                                      | add: { move: none, throttle: 1MB/s }
                    rate: 10k/s                                      | reassign: { topic: u, brokers: [1], throttle: 1MB/s }
                    rate: max                                        | drain: { broker: 4, throttle: 1MB/s }
                    rate: 10k/s, producer: { compression.type: lz4 } | drain: { broker: 4, throttle: 1MB/s }
                    rate: 100/s                                      | drain: { broker: 4, throttle: 1MB/s }
                    """)
    void otherThrottleIsAccepted(String load, String operation) {
        assertThat(loaded(load, operation).during()).containsKey("x");
    }

    @Test
    void operationNeedsOneRate() {
        assertThatThrownBy(() -> Plans.only(THREE + "load: { rate: { steps: [1k/s for 10s, 2k/s for 10s] } }\n"
                        + "during: { x: { at: 1s, restart: {} } }"))
                .hasMessageContaining("requires one rate and a measure of time");
    }

    @Test
    void upgradeNeedsANewClusterForEachTrialAndKRaft() {
        assertThatThrownBy(() -> Plans.only("cluster: { kafka: 4.3.1 }\nload: { rate: 1/s }\n"
                        + "during: { x: { at: 1s, upgrade: { to: 4.4.0 } } }"))
                .hasMessageContaining("the next trial must begin with the old release");
        assertThatThrownBy(() -> Plans.only("cluster: { kafka: 2.8.2, fresh: trial }\nload: { rate: 1/s }\n"
                        + "during: { x: { at: 1s, upgrade: { to: 4.4.0 } } }"))
                .hasMessageContaining("a cluster with ZooKeeper cannot be upgraded in place");
    }

    private static Variant upgraded(boolean finalize, String release) {
        return Plans.only(THREE + "load: { rate: 1k/s }\nmeasure: 20s\nduring:\n"
                + "  up: { at: 1s, upgrade: { to: 4.4.0, finalize: " + finalize + " } }\n"
                + "  x: { at: 2s, downgrade: { to: " + release + " } }");
    }

    @Test
    void downgradeFollowsAnUpgradeThatDidNotRaiseTheFeatures() {
        assertThat(upgraded(false, "4.3.1").during()).containsKey("x");
        assertThatThrownBy(() -> upgraded(false, "4.4.0")).hasMessageContaining("must be a downgrade");
        assertThatThrownBy(() -> upgraded(false, "3.9.2")).hasMessageContaining("must be at least 4.3.1");
        assertThatThrownBy(() -> upgraded(true, "4.3.1"))
                .hasMessageContaining("during.x: must be at least 4.4.0, because older brokers do not start with"
                        + " the features of this release, found 'to: 4.3.1'; write finalize: false in the upgrade"
                        + " before it");
    }

    @Test
    void operationsThatOverlapRunOneAfterTheOther() {
        Variant variant = Plans.only(THREE + "load: { rate: 1k/s }\nmeasure: 20s\nduring:\n"
                + "  x: { at: 10s, max: 60s, settle: 5s, restart: {} }\n"
                + "  y: { at: 12s, max: 60s, settle: 5s, restart: {} }");
        assertThat(variant.measure())
                .isEqualTo(new MeasureSpec.UntilSettled(
                        Duration.ofSeconds(20), Duration.ofSeconds(51), Duration.ofSeconds(135)));
    }

    @Test
    void measuredPhaseLastsUntilTheOperationHasSettled() {
        Variant variant = Plans.only(THREE + "load: { rate: 1k/s }\nmeasure: 20s\n"
                + "during: { x: { at: 10s, max: 60s, settle: 5s, restart: {} } }");
        assertThat(variant.measure())
                .isEqualTo(new MeasureSpec.UntilSettled(
                        Duration.ofSeconds(20), Duration.ofSeconds(33), Duration.ofSeconds(75)));
        assertThat(variant.undisturbed().measure()).isEqualTo(new MeasureSpec.For(Duration.ofSeconds(20)));
    }
}
