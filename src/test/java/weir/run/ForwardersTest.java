package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.cluster.Broker;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

class ForwardersTest {
    private static Broker broker(int id, String address) {
        return new Broker(id, address, "", "", -1, Path.of(""), Path.of(""));
    }

    private static Property property(String name, String value) {
        return new Property("broker 1", name, "", value, "", Source.WEIR);
    }

    @Test
    void anAddressThatNoBrokerCallsItsOwnIsAProxy() {
        List<Broker> brokers = List.of(broker(1, "127.0.0.1:9092"), broker(2, "127.0.0.1:9093"));
        assertThat(Forwarders.bootstrap("127.0.0.1:9092,127.0.0.1:9093", brokers, address -> true))
                .isEmpty();
        assertThat(Forwarders.bootstrap("localhost:9093", brokers, address -> true))
                .isEmpty();
        assertThat(Forwarders.bootstrap("127.0.0.1:9092, 127.0.0.1:7000", brokers, address -> true))
                .singleElement()
                .asString()
                .contains("'127.0.0.1:7000'")
                .contains("127.0.0.1:9093");
    }

    @Test
    void anAddressThatRefusesConnectionsIsABrokerThatIsDownAndNoProxy() throws IOException {
        List<Broker> brokers = List.of(broker(1, "127.0.0.1:9092"));
        String address;
        try (ServerSocket there = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "127.0.0.1:" + there.getLocalPort();
            assertThat(Forwarders.bootstrap("127.0.0.1:9092," + address, brokers, Forwarders::answers))
                    .singleElement()
                    .asString()
                    .contains(address);
        }
        assertThat(Forwarders.bootstrap("127.0.0.1:9092," + address, brokers, Forwarders::answers))
                .isEmpty();
    }

    @Test
    void twoBrokersAtOneAddressAreToldApartBySomebodyElse() {
        assertThat(Forwarders.shared(List.of(broker(1, "lb:9092"), broker(2, "lb:9093"))))
                .isEmpty();
        assertThat(Forwarders.shared(List.of(broker(1, "lb:9092"), broker(2, "lb:9092"))))
                .containsExactly("broker 2 and another are both reached at lb:9092");
    }

    @Test
    void aPortThatIsNotTheOneListenedOnIsForwarded() {
        assertThat(Forwarders.forwarded(List.of(
                        property("listeners", "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093"),
                        property("advertised.listeners", "PLAINTEXT://kafka-1:9092"))))
                .isEmpty();
        assertThat(Forwarders.forwarded(List.of(property("listeners", "PLAINTEXT://:9092"))))
                .isEmpty();
        assertThat(Forwarders.forwarded(List.of(
                        property("listeners", "PLAINTEXT://[::]:9092"),
                        property("advertised.listeners", "PLAINTEXT://kafka-1:31092"))))
                .containsExactly("broker 1 listens on port 9092 and is reached at port 31092");
    }
}
