package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.KnownToWork;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.ExternalCluster;
import weir.host.ProcessAction;

/** The client engine on the oldest Kafka, which keeps the contract; {@code -Dweir.old=2.8.2} tries another. */
@Tag("long")
class OldKafkaIT extends EngineContract {
    private @Nullable OwnKafka kafka;

    @Override
    protected Carried.Engines engines() {
        return Carrier.CLIENT;
    }

    @Override
    EmbeddedCluster cluster(SharedKafka.Clusters clusters) {
        kafka = OwnKafka.start(folder, Kafkas.of(System.getProperty("weir.old", "2.7.2"), 1));
        return kafka.cluster();
    }

    @AfterAll
    void stop() {
        Objects.requireNonNull(kafka).close();
    }

    @Test
    @KnownToWork("cluster: Kafka 2.7.2; client and wire")
    void itsReleaseIsNotKnownToThoseWhoOnlyConnect() {
        try (ExternalCluster connected = ExternalCluster.connect(cluster.bootstrap(), new TreeMap<>())) {
            assertThat(connected.version()).isEqualTo("unknown, older than 3.3");
        }
    }

    /** ZooKeeper keeps the entry of a killed broker until its session ends, and refuses a second entry. */
    @Test
    void killedBrokerServesAgainAfterItsSessionInZooKeeper() {
        try (OwnKafka own = OwnKafka.start(
                folder.resolve("killed"), Kafkas.of("2.8.2", 1).broker("zookeeper.session.timeout.ms", "6000"))) {
            own.cluster().act(ProcessAction.KILL, 1);
            own.cluster().act(ProcessAction.RESTART, 1);
            assertThat(own.cluster().gone()).isFalse();
        }
    }
}
