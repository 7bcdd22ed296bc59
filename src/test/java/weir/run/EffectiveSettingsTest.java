package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import weir.cluster.ClusterUnavailable;
import weir.feature.NeedsFeature;
import weir.judge.ProbeSeries;
import weir.measure.Reading;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.run.disturbance.TrialNotes;

@NeedsFeature("presets")
class EffectiveSettingsTest {
    private static final Variant DURABLE = Plans.only(
            "cluster: { kafka: 3.9.2, brokers: 3, broker: { num.io.thread: 3 } }\nvariants: { a: { preset: durability } }");

    private static final long MILLI = 1_000_000;

    private final List<String> told = new ArrayList<>();
    private long nanos;

    @Test
    void unknownBrokerPropertyIsRefusedWithItsPreset() {
        assertThatThrownBy(() -> EffectiveSettings.refuseUnknown(
                        DURABLE, () -> List.of("auto.create.topics.enable", "somebody.elses")))
                .isInstanceOf(PreflightException.class)
                .hasMessage("cluster.broker: the brokers of Kafka 3.9.2 do not know auto.create.topics.enable (preset"
                        + " durability x.yaml:2); remove these properties, or correct their names");
    }

    @Test
    void unknownPropertyOfTheFileIsNotAttributedToThePreset() {
        assertThatThrownBy(() -> EffectiveSettings.refuseUnknown(DURABLE, () -> List.of("num.io.thread")))
                .hasMessage("cluster.broker: the brokers of Kafka 3.9.2 do not know num.io.thread; remove these"
                        + " properties, or correct their names");
        assertThatCode(() -> EffectiveSettings.refuseUnknown(DURABLE, List::of)).doesNotThrowAnyException();
    }

    @Test
    void meanBelowOneRecordPerRequestHasNoRemark() {
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

    /** Returns the reports for these end offsets at these milliseconds; a negative offset stands for no answer. */
    private List<String> grown(long[] atMillis, long... ends) {
        Queue<Long> answers = new ArrayDeque<>();
        for (long end : ends) {
            answers.add(end);
        }
        TrialRun.LogGrowth growth =
                new TrialRun.LogGrowth(() -> nanos, () -> answer(answers.remove()), new TrialNotes() {
                    @Override
                    public void mark(long at, String name, String text) {
                        told.add(name + " " + text);
                    }

                    @Override
                    public void reading(String source, String metric, double value) {
                        told.add(source + " " + metric + " " + value);
                    }

                    @Override
                    public void reading(Reading reading) {
                        throw new AssertionError("the growth of the log is of the current second");
                    }
                });
        for (long millis : atMillis) {
            nanos = millis * MILLI;
            growth.run();
        }
        return told;
    }

    private static long answer(long end) {
        if (end < 0) {
            throw new ClusterUnavailable("nobody answered");
        }
        return end;
    }

    @Test
    void growthIsTakenByTheTimeThatHasPassed() {
        assertThat(grown(new long[] {0, 1_000, 2_500}, 10, 110, 410))
                .containsExactly("log appended.per.s 100.0", "log appended.per.s 200.0");
    }

    @Test
    void unansweredSecondsAreInTheNextReadingWithOneNote() {
        assertThat(grown(new long[] {0, 1_000, 2_000, 4_000}, 0, -1, -1, 400))
                .containsExactly("note the end offsets could not be read: nobody answered", "log appended.per.s 100.0");
    }
}
