package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.start.ExternalCluster;

@Timeout(30)
class ClusterContactTest {
    /** A free port without a listener. */
    private static final String CLOSED_PORT = "127.0.0.1:" + free();

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void contact(String bootstrap) {
        SortedMap<String, String> client = new TreeMap<>(Map.of("bootstrap.servers", bootstrap));
        ClusterContact.await(bootstrap, client, Duration.ofMillis(1));
    }

    private static void refused(String bootstrap, String message) {
        assertThatThrownBy(() -> contact(bootstrap))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessage(message);
    }

    /** Returns a cluster of one broker that reports these brokers. */
    private static FakeListener broker(String cluster, String... brokers) throws IOException {
        return FakeListener.broker(cluster, () -> brokers);
    }

    @Test
    void unresolvableAdvertisedNameIsReportedWithTheAnsweringAddress() throws Exception {
        try (FakeListener broker = broker("one", "1@kafka-0.kafka.invalid:19292")) {
            refused(
                    broker.at(),
                    broker.at()
                            + " answered; broker 1 advertises kafka-0.kafka.invalid:19292, which does not resolve on"
                            + " this machine (advertised.listeners)");
        }
    }

    @Test
    void advertisedPortWithoutListenerIsReported() throws Exception {
        try (FakeListener broker = broker("one", "7@" + CLOSED_PORT)) {
            refused(
                    broker.at(),
                    broker.at() + " answered; broker 7 advertises " + CLOSED_PORT
                            + ", which refuses connections: no process listens there (advertised.listeners)");
        }
    }

    @Test
    void unreachableBrokerIsReportedWithTheCount() throws Exception {
        AtomicInteger port = new AtomicInteger();
        try (FakeListener second = broker("one");
                FakeListener first = FakeListener.broker(
                        "one", () -> new String[] {"1@127.0.0.1:" + port, "2@" + second.at(), "3@" + CLOSED_PORT})) {
            port.set(first.port());
            refused(
                    first.at(),
                    first.at() + " answered; broker 3 advertises " + CLOSED_PORT
                            + ", which refuses connections: no process listens there (advertised.listeners); 1 of 3"
                            + " brokers cannot be used from here");
        }
    }

    @Test
    void advertisedAddressOfAnotherClusterIsReported() throws Exception {
        try (FakeListener other = broker("two");
                FakeListener broker = broker("one", "1@" + other.at())) {
            refused(
                    broker.at(),
                    broker.at() + " answered; broker 1 advertises " + other.at()
                            + ", which is in another cluster, 'two' instead of 'one' (advertised.listeners)");
        }
    }

    @Test
    void addressesOfTwoClustersAreRefused() throws Exception {
        try (FakeListener one = broker("one");
                FakeListener two = broker("two")) {
            refused(
                    one.at() + "," + two.at(),
                    one.at() + " is of cluster 'one', and " + two.at()
                            + " is of cluster 'two'; write addresses of one cluster");
        }
    }

    @Test
    void twoBrokersThatAdvertiseOneAddressAreRefused() throws Exception {
        try (FakeListener broker = broker("one", "1@" + CLOSED_PORT, "2@" + CLOSED_PORT)) {
            refused(
                    broker.at(),
                    broker.at() + " answered; brokers 1 and 2 both advertise " + CLOSED_PORT
                            + "; each broker needs its own address (advertised.listeners)");
        }
    }

    @Test
    void oneAnsweringBootstrapAddressSuffices() throws Exception {
        AtomicInteger port = new AtomicInteger();
        try (FakeListener broker = FakeListener.broker("one", () -> new String[] {"1@127.0.0.1:" + port})) {
            port.set(broker.port());
            assertThatCode(() -> contact("nowhere.invalid:9092, " + CLOSED_PORT + "," + broker.at()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void aBrokerThatIsKnownLaterIsWaitedFor() throws Exception {
        AtomicInteger port = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        try (FakeListener broker = FakeListener.broker(
                "one", () -> asked.incrementAndGet() < 3 ? new String[0] : new String[] {"1@127.0.0.1:" + port})) {
            port.set(broker.port());
            ClusterContact.await(
                    broker.at(), new TreeMap<>(Map.of("bootstrap.servers", broker.at())), Duration.ofSeconds(20));
            assertThat(asked.get()).isEqualTo(3);
        }
    }

    @Test
    void permanentReasonIsReportedIfNoAddressAnswers() throws Exception {
        refused(CLOSED_PORT, CLOSED_PORT + " refuses connections: no process listens there");
        refused("nowhere.invalid:1", "nowhere.invalid:1 does not resolve on this machine");
        try (FakeListener http = new FakeListener((in, out) -> {
            in.read();
            out.writeBytes("HTTP/1.1 400 Bad Request\r\n\r\n");
        })) {
            refused(
                    CLOSED_PORT + "," + http.at(),
                    http.at()
                            + " is not a Kafka broker: it answers in HTTP, 'HTTP/1.1 400 Bad Request'; the other"
                            + " addresses (of 2) do not work either");
        }
    }

    @Test
    void contactIsRetriedWithPausesAndTheReasonIsReported() throws Exception {
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
                            + " has no coordinator of consumer groups: no broker leads a partition of topic"
                            + " __consumer_offsets, or its 1 broker cannot create it; check"
                            + " offsets.topic.replication.factor");
            assertThat(lookups.get()).isBetween(1, 5);
        }
    }
}
