package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import weir.cluster.Broker;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;

class RunListenersTest {
    /** A listener that records its calls and agrees. */
    private static RunListener writing(String name, List<String> heard) {
        return (RunListener) Proxy.newProxyInstance(
                RunListener.class.getClassLoader(), new Class<?>[] {RunListener.class}, (proxy, method, arguments) -> {
                    heard.add(name + " " + method.getName());
                    return method.getReturnType() == boolean.class ? true : null;
                });
    }

    @Test
    void failingWatchIsReportedOnceAndDoesNotFailTheRun() {
        List<String> notes = new ArrayList<>();
        RunListener user = FakeLab.listener(true, notes::add);
        AtomicInteger asked = new AtomicInteger();
        RunListener broken = (RunListener) Proxy.newProxyInstance(
                RunListener.class.getClassLoader(), new Class<?>[] {RunListener.class}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return proxy == arguments[0];
                    }
                    asked.incrementAndGet();
                    throw new IllegalStateException("planted");
                });
        List<String> heard = new ArrayList<>();
        RunListeners all = new RunListeners(user, List.of(broken, writing("other", heard)));
        all.each(listener -> listener.unfinished("weir run e.yaml"));
        all.each(listener -> listener.unfinished("weir run e.yaml"));
        assertThat(asked).hasValue(1);
        assertThat(heard).hasSize(2);
        assertThat(notes.stream().filter(note -> note.contains("planted")))
                .singleElement()
                .asString()
                .startsWith("a live view of the run failed, and Weir stopped it:");
    }

    @Test
    void listenersAreCalledInTheirOrderAndTheFirstAloneIsAsked() {
        List<String> heard = new ArrayList<>();
        RunListeners all = new RunListeners(writing("first", heard), List.of(writing("second", heard)));
        all.note("so far");
        assertThat(all.agrees("Go on?")).isTrue();
        assertThat(heard).containsExactly("first note", "second note", "first agrees");
    }

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
    void refusedBootstrapAddressIsADeadBrokerAndNoProxy() throws IOException {
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
    void brokersThatShareAnAddressAreReported() {
        assertThat(Forwarders.shared(List.of(broker(1, "lb:9092"), broker(2, "lb:9093"))))
                .isEmpty();
        assertThat(Forwarders.shared(List.of(broker(1, "lb:9092"), broker(2, "lb:9092"))))
                .containsExactly("broker 2 and another broker advertise the same address lb:9092");
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
                .containsExactly("broker 1 listens on port 9092, but clients connect to port 31092");
    }
}
