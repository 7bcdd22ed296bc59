package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordKeysTest {
    private final Variant variant = Plans.only("""
            topics: { my.events: {} }
            load: { workload: deliver, backlog: 5 records, producer: { acks: 1 } }
            """);

    @Test
    void pathLeadsThroughSectionsNamesWithDotsAndProperties() {
        Variant changed = RecordKeys.with(
                variant,
                Map.of(
                        "load.producers",
                        3,
                        "load.engine.receive",
                        LoadSpec.Engine.WIRE,
                        "load.producer.linger.ms",
                        "5",
                        "topics.my.events.partitions",
                        7));
        assertThat(changed.load().producers().count()).isEqualTo(3);
        assertThat(changed.load().producers().engine()).isEqualTo(LoadSpec.Engine.CLIENT);
        assertThat(changed.load().consumers().engine()).isEqualTo(LoadSpec.Engine.WIRE);
        assertThat(changed.load().producers().properties()).isEqualTo(Map.of("acks", "1", "linger.ms", "5"));
        assertThat(changed.topics().get("my.events"))
                .extracting(TopicSpec::partitions, TopicSpec::count)
                .isEqualTo(List.of(7, 1));
        assertThat(changed.measure()).isEqualTo(variant.measure());
    }

    @Test
    void unknownKeyAndInvalidValueAreRefused() {
        assertThatThrownBy(() -> RecordKeys.with(variant, Map.of("load.nothing", 1)))
                .hasMessage("there is no 'nothing' in a LoadSpec");
        assertThatThrownBy(() -> RecordKeys.with(new RateSpec.AtATime(1), Map.of("operations", 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a closed loop must have at least 1 operation at a time, found");
    }
}
