package weir.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.Plans;
import weir.plan.Variant;

class EffectiveSettingsTest {
    private static final Variant DURABLE = Plans.only(
            "cluster: { kafka: 3.9.2, brokers: 3, broker: { num.io.thread: 3 } }\nvariants: { a: { preset: durability } }");

    @Test
    void aBrokerPropertyThatAReleaseDoesNotKnowIsRefusedInThePresetsName() {
        assertThatThrownBy(() -> EffectiveSettings.refuseUnknown(
                        DURABLE, () -> List.of("auto.create.topics.enable", "somebody.elses")))
                .isInstanceOf(PreflightException.class)
                .hasMessage("cluster.broker: the brokers of Kafka 3.9.2 do not know auto.create.topics.enable"
                        + " (preset durability x.yaml:2); leave it out, or correct its name");
    }

    @Test
    void oneThatTheFileGivesIsNotThePresets() {
        assertThatThrownBy(() -> EffectiveSettings.refuseUnknown(DURABLE, () -> List.of("num.io.thread")))
                .hasMessage("cluster.broker: the brokers of Kafka 3.9.2 do not know num.io.thread;"
                        + " leave it out, or correct its name");
        assertThatCode(() -> EffectiveSettings.refuseUnknown(DURABLE, List::of)).doesNotThrowAnyException();
    }
}
