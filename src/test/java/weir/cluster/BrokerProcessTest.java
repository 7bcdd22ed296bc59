package weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BrokerProcessTest {
    private static final String WARNING = "[0.103s][warning][cds] Unable to use shared archive.";
    private static final String SETTINGS = "2026-11-20 11:19:41,003 INFO KafkaConfig values:";
    private static final String SETTING = "\tnum.io.threads = many";
    private static final String FAULT = "Exception in thread \"main\" java.lang.IllegalStateException: no";
    private static final String TRACE = "\tat kafka.Kafka.main(Kafka.java)";

    @Test
    void whatABrokerDiedOfIsToldAndNotWhatItWasDoing() {
        assertThat(BrokerProcess.telling(List.of(WARNING, SETTINGS, SETTING, FAULT, TRACE)))
                .containsExactly(WARNING, FAULT, TRACE);
        assertThat(BrokerProcess.telling(List.of(SETTINGS, SETTING, "2026-11-20 11:19:41,004 ERROR it broke", TRACE)))
                .containsExactly("2026-11-20 11:19:41,004 ERROR it broke", TRACE);
    }

    @Test
    void aBrokerThatOnlyInformsIsToldAsItIs() {
        assertThat(BrokerProcess.telling(List.of(SETTINGS, SETTING))).containsExactly(SETTINGS, SETTING);
    }
}
