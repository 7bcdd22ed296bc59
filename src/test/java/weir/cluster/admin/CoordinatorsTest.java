package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.start.ExternalCluster;

@Timeout(30)
class CoordinatorsTest {
    @Test
    void lookupsPauseAndTheReasonIsToldInTheEnd() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        try (FakeListener broker = FakeListener.broker("one", () -> new String[0], lookups::incrementAndGet)) {
            Cluster cluster = new ExternalCluster(
                    broker.at(),
                    new TreeMap<>(),
                    "one",
                    "4.4",
                    List.of(new Broker(1, broker.at(), "", "", -1, Path.of(""), Path.of(""))));
            String missing = new Coordinators(cluster).missing(Coordinators.Kind.GROUP, "g", Duration.ofSeconds(1));
            assertThat(missing)
                    .isEqualTo("the cluster at " + broker.at()
                            + " has no coordinator of consumer groups: no broker leads a"
                            + " partition of topic __consumer_offsets, or its 1 broker cannot make it; check"
                            + " offsets.topic.replication.factor");
            assertThat(lookups.get()).isBetween(1, 5);
        }
    }
}
