package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Plans;

class DeliveryChecksTest {
    private static final String LOAD = "load: { workload: deliver, engine: http }\n";

    @ParameterizedTest
    @CsvSource({
        "{ path: direct },         taken by the receiver",
        "{ path: memory-channel }, queued in memory by the channel",
        "{ path: memory-broker },  queued in memory by the channel",
        "{ path: kafka-channel },  ''",
        "{ path: kafka-source },   ''",
    })
    void aPathWithoutKafkaNotesWhoAcknowledges(String bridge, String who) {
        String note = Plans.only(LOAD + "bridge: " + bridge).ackedNote();
        assertThat(note.replaceFirst(".*so acked means ", "")).isEqualTo(who);
    }
}
