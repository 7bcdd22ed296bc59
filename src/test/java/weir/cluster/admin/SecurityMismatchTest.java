package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SecurityMismatchTest {
    /** A listener that answers as one of a broker does. */
    private interface Listener {
        void answer(DataInputStream in, DataOutputStream out) throws IOException;
    }

    /** A plain one reads requests, and answers so many of them. */
    private static Listener plain(int answers) {
        return (in, out) -> {
            for (int i = 0; i <= answers; i++) {
                byte[] request = in.readNBytes(in.readInt());
                if (i < answers) {
                    out.writeInt(6);
                    out.write(request, 4, 4);
                    out.writeShort(0);
                }
            }
        };
    }

    private static final Listener ALERT = (in, out) -> {
        in.read();
        out.write(new byte[] {21, 3, 3, 0, 2, 2, 80});
    };

    /** Closes on whatever is no TLS. */
    private static final Listener HANDSHAKE = (in, out) -> {
        if (in.read() == 22) {
            out.write(new byte[] {22, 3, 3});
        }
    };

    private static String mismatch(String protocol, Listener listener) throws Exception {
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread serving = new Thread(() -> serve(server, listener));
        try (server) {
            serving.start();
            return SecurityMismatch.of(
                    "nonsense, 127.0.0.1:" + server.getLocalPort(),
                    new TreeMap<>(Map.of("security.protocol", protocol)));
        } finally {
            serving.join();
        }
    }

    private static void serve(ServerSocket server, Listener listener) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                listener.answer(
                        new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
            } catch (IOException over) {
                assertThat(over).isNotNull();
            }
        }
    }

    @Test
    void aListenerOfTlsIsRecognisedByItsAlertOrItsHandshake() throws Exception {
        for (Listener tls : new Listener[] {ALERT, HANDSHAKE}) {
            assertThat(mismatch("PLAINTEXT", tls)).contains("speaks TLS", "set security.protocol=SSL");
            assertThat(mismatch("SASL_PLAINTEXT", tls)).contains("set security.protocol=SASL_SSL,");
            assertThat(mismatch("SSL", tls)).isEmpty();
        }
    }

    @Test
    void aPlainListenerIsRecognisedByItsAnswers() throws Exception {
        assertThat(mismatch("SSL", plain(2))).contains("speaks no TLS", "set security.protocol=PLAINTEXT");
        assertThat(mismatch("PLAINTEXT", plain(2))).isEmpty();
    }

    @Test
    void aListenerThatWantsSaslClosesOnWhoeverAsksWithoutIt() throws Exception {
        assertThat(mismatch("PLAINTEXT", plain(1))).contains("wants to know who asks (SASL)");
        assertThat(mismatch("SASL_SSL", plain(1))).contains("speaks no TLS and wants", "=SASL_PLAINTEXT");
        assertThat(mismatch("SASL_PLAINTEXT", plain(1))).isEmpty();
    }

    @Test
    void whatIsNoKafkaExplainsNothing() throws Exception {
        assertThat(mismatch("PLAINTEXT", (in, out) -> {
                    in.read();
                    out.writeBytes("HTTP/1.1 400 Bad Request\r\n\r\n");
                }))
                .isEmpty();
        assertThat(SecurityMismatch.of("127.0.0.1:1", new TreeMap<>())).isEmpty();
    }
}
