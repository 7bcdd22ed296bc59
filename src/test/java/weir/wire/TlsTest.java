package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weir.wire.Roundtrip.answers;
import static weir.wire.Roundtrip.assertBody;
import static weir.wire.Roundtrip.request;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cluster.LoopbackKeys;

@Timeout(20)
class TlsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Connection.Options OPTIONS = Connection.Options.named("test");

    @TempDir
    static Path folder;

    private static LoopbackKeys keys;
    private static SSLContext server;

    @BeforeAll
    static void makeKeys() {
        keys = LoopbackKeys.in(folder);
        // Once, because unlocking a key takes longer than a handshake.
        DefaultSslEngineFactory factory = new DefaultSslEngineFactory();
        factory.configure(new ConfigDef().withClientSslSupport().parse(keys.server()));
        server = factory.sslContext();
    }

    private static FakeBroker broker(String host, FakeBroker.Conduct conduct) throws IOException {
        ServerSocket socket = server.getServerSocketFactory().createServerSocket();
        // A fixed size, because the kernel otherwise grows the buffer depending on the timing of threads.
        socket.setReceiveBufferSize(1 << 16);
        socket.bind(new InetSocketAddress(InetAddress.getByName(host), 0), 50);
        return new FakeBroker(socket, conduct);
    }

    private static BrokerAccess access(String... more) {
        Map<String, String> properties = new HashMap<>(keys.client());
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return BrokerAccess.of(properties);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void framesOfAnySizeArriveAsTheyWere(String protocol) throws Exception {
        BrokerAccess access = access("ssl.enabled.protocols", protocol);
        try (Roundtrip talk = Roundtrip.with(broker("127.0.0.1", answers()), access, OPTIONS)) {
            Random random = new Random(1);
            for (int i = 0; i < 40; i++) {
                // The longest are many TLS records, and more than the kernel's buffer.
                int size = random.nextInt(random.nextBoolean() ? 200 : 150_000);
                talk.connection().send(request(i, size));
                ResponseFrame frame = talk.await();
                assertThat(frame.correlation()).isEqualTo(i);
                assertBody(frame, size);
                frame.release();
            }
        }
    }

    @Test
    void aLargeRequestOfManyPartsIsWrittenBitByBit() throws Exception {
        int parts = 150;
        CountDownLatch reading = new CountDownLatch(1);
        FakeBroker.Conduct sum = FakeBroker.open((asked, out) -> {
            if (asked.correlation() == 2) {
                awaitTurn(reading);
            } else {
                Roundtrip.sum(asked, out);
            }
        });
        Connection.Options options = new Connection.Options("test", 300_000, -1, 1 << 20);
        try (Roundtrip talk = Roundtrip.with(broker("127.0.0.1", sum), access(), options)) {
            ByteBuffer[] all = new ByteBuffer[parts + 1];
            all[0] = ByteBuffer.allocateDirect(100);
            int total = 0;
            int bytes = 0;
            for (int i = 1; i <= parts; i++) {
                byte[] content = new byte[i * 500];
                new Random(i).nextBytes(content);
                for (byte next : content) {
                    total = 31 * total + next;
                }
                bytes += content.length;
                all[i] = ByteBuffer.wrap(content);
            }
            new RequestHead("test").put(all[0], Api.FETCH, Roundtrip.VERSION, 3, bytes);
            all[0].flip();
            talk.connection().send(request(2, 0));
            assertThat(talk.connection().send(all)).isFalse();
            assertThat(talk.connection().written()).isLessThan(talk.connection().taken());
            reading.countDown();
            ResponseFrame frame = talk.await();
            assertThat(frame.body(Api.FETCH, Roundtrip.VERSION).getInt()).isEqualTo(total);
            assertThat(talk.connection().flush()).isTrue();
            assertThat(talk.connection().written()).isEqualTo(talk.connection().taken());
        }
    }

    private static void awaitTurn(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void untrustedCertificateIsRefused() throws Exception {
        Path other = Files.createDirectories(folder.resolve("other"));
        BrokerAccess stranger = BrokerAccess.of(LoopbackKeys.in(other).client());
        try (FakeBroker broker = broker("127.0.0.1", answers())) {
            assertThatThrownBy(() -> Connection.open(broker.at(), stranger, OPTIONS, LIMIT))
                    .isInstanceOf(BrokerRefusal.class)
                    .hasMessage("broker " + broker.at() + " shows a certificate that is not trusted (Signature does not"
                            + " match.); check ssl.truststore.location");
        }
    }

    @Test
    void certificateForAnotherHostIsRefusedUnlessHostnameCheckIsOff() throws Exception {
        try (FakeBroker broker = broker("127.0.0.2", answers())) {
            Endpoint elsewhere = new Endpoint("127.0.0.2", broker.at().port());
            assertThatThrownBy(() -> Connection.open(elsewhere, access(), OPTIONS, LIMIT))
                    .isInstanceOf(BrokerRefusal.class)
                    .hasMessageContaining("127.0.0.2");
            BrokerAccess lax = access("ssl.endpoint.identification.algorithm", "");
            try (Connection connection = Connection.open(elsewhere, lax, OPTIONS, LIMIT)) {
                assertThat(connection.version(Api.PRODUCE)).isEqualTo((short) 13);
            }
        }
    }

    @Test
    void closedConnectionIsReported() throws Exception {
        FakeBroker.Conduct leaving = FakeBroker.open((asked, out) -> out.close());
        try (Roundtrip talk = Roundtrip.with(broker("127.0.0.1", leaving), access(), OPTIONS)) {
            talk.connection().send(request(1, 1));
            assertThatThrownBy(talk::await).hasMessage("broker " + talk.broker().at() + " closed the connection");
        }
    }

    @Test
    void plaintextToATlsListenerSuggestsTheProtocol() throws Exception {
        try (FakeBroker broker = broker("127.0.0.1", answers())) {
            assertThatThrownBy(() -> Connection.open(broker.at(), BrokerAccess.plaintext(), OPTIONS, LIMIT))
                    .hasMessageContaining("check that this is Kafka, and security.protocol");
        }
    }

    @Test
    void unreadableKeyFileIsReportedWithItsProperty() {
        assertThatThrownBy(() -> access("ssl.truststore.location", folder + "/none.pem"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ssl.truststore.location: '" + folder + "/none.pem' does not exist, or cannot be read");
    }
}
