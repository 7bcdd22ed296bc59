package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.judge.ProbeSeries;
import weir.measure.Reading;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.property.Property;

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

    @Test
    void meanBelowOneRecordPerRequestIsNoRemark() {
        assertThat(remark(0.7)).isEmpty();
        assertThat(remark(3)).isEqualTo("3 records in a request");
    }

    private static String remark(double recordsPerRequest) {
        ProbeSeries readings = ProbeSeries.of(
                List.of(new Reading(1, "client", "producer.records-per-request-avg", recordsPerRequest)));
        Property property =
                new Property("producer", "max.request.size", "", "1048576", "1048576", Property.Source.DEFAULT);
        return EffectiveSettings.observed(List.of(property), readings, 0, 2)
                .get(0)
                .remark();
    }
}
