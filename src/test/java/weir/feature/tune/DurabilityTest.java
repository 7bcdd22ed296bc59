package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Plans;
import weir.plan.Variant;

class DurabilityTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acks: all | 3 | 2 | acks all, at least 2 in sync, idempotent",
                "acks: all | 1 | 2 | the leader alone, idempotent",
                "acks: -1  | 3 | 1 | acks all, at least 1 in sync, idempotent",
                "acks: all, enable.idempotence: false | 3 | 2 | acks all, at least 2 in sync",
                "max.in.flight.requests.per.connection: 6 | 3 | 2 | acks all, at least 2 in sync",
                "acks: 1 | 3 | 2 | the leader alone",
                "acks: 0 | 3 | 2 | acks 0",
            })
    void durabilityNamesTheReplicasOfAnAcknowledgedRecord(String properties, int replication, int inSync, String text) {
        assertThat(of(properties, replication, inSync).text()).isEqualTo(text);
    }

    private static Durability of(String properties, int replication, int inSync) {
        Variant variant = Plans.only("""
                cluster: { brokers: 3 }
                topics: { t: { replication: %d, config: { min.insync.replicas: %d } } }
                load: { producer: { %s } }
                """.formatted(replication, inSync, properties));
        return Durability.of(variant);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"acks: 0 | acks: 1", "acks: 1 | acks: all, enable.idempotence: false"})
    void moreAcksAreAHigherClass(String lower, String higher) {
        assertThat(of(lower, 2, 1).rank()).isLessThan(of(higher, 2, 1).rank());
        assertThat(List.of(of(higher, 3, 1).rank(), of(higher, 3, 2).rank())).isSorted();
    }

    @Test
    void durabilityOfAnExistingTopicAssumesNoReplicas() {
        Variant variant = Plans.only("""
                cluster: { bootstrap: "127.0.0.1:9092" }
                topics: { t: { existing: true } }
                load: { topics: [t] }
                """);
        assertThat(Durability.of(variant).text()).isEqualTo("acks all, at least 1 in sync, idempotent");
    }
}
