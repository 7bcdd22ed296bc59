package weir.cluster.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.ClusterUnavailable;

class KafkaVersionTest {
    @ParameterizedTest
    @ValueSource(strings = {"4.3", "4.3.1-rc1", "latest", "", "v4.3.1", "4.3.1111"})
    void whatIsNoReleaseIsRefusedWithAnExample(String text) {
        assertThatThrownBy(() -> KafkaVersion.of(text))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessage("cluster.kafka: '" + text + "' is not a release of Kafka; write three numbers, like 4.4.0");
    }

    @Test
    void releasesBefore27AreRefused() {
        assertThatThrownBy(() -> KafkaVersion.of("2.6.3"))
                .hasMessage(
                        "cluster.kafka: Weir starts releases of Kafka from 2.7.0 on, not 2.6.3; start that one yourself"
                                + " and give its cluster.bootstrap");
    }

    @Test
    void releasesBefore33KeepTheirMetadataInZooKeeper() {
        assertThat(KafkaVersion.of("3.2.3").zooKeeper()).isTrue();
        assertThat(KafkaVersion.of("3.3.0").zooKeeper()).isFalse();
    }

    @Test
    void versionsAreComparedAsNumbers() {
        assertThat(KafkaVersion.of("3.10.0")).isGreaterThan(KafkaVersion.of("3.9.2"));
        assertThat(KafkaVersion.of("3.9.2").since(3, 5)).isTrue();
        assertThat(KafkaVersion.of("3.4.1").since(3, 5)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"3, older than 3.3", "7, 3.3", "21, 3.9", "25, 4.0", "29, 4.2", "30, 4.3", "33, 4.4", "34, 4.4 or newer"
    })
    void theHighestMetadataVersionTellsTheRelease(int level, String release) {
        assertThat(KafkaVersion.ofMetadata(level)).isEqualTo(release);
    }
}
