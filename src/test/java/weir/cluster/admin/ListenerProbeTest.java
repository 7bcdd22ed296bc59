package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.wire.FakeBroker;

class ListenerProbeTest {
    /** Reads requests without TLS, and sends this number of answers. */
    private static FakeBroker.Talk plain(int answers) {
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

    private static final FakeBroker.Talk ALERT = (in, out) -> {
        in.read();
        out.write(new byte[] {21, 3, 3, 0, 2, 2, 80});
    };

    private static String reason(String protocol, FakeBroker.Talk conduct) throws IOException {
        try (FakeListener listener = new FakeListener(conduct)) {
            return new ListenerProbe(new TreeMap<>(Map.of("security.protocol", protocol)))
                    .reason("127.0.0.1", listener.port(), null)
                    .text();
        }
    }

    @Test
    void aListenerOfTlsIsRecognisedByItsAlert() throws Exception {
        assertThat(reason("PLAINTEXT", ALERT))
                .isEqualTo("speaks TLS, and security.protocol is PLAINTEXT; set security.protocol=SSL,"
                        + " and ssl.truststore.location if its certificate is not publicly signed");
        assertThat(reason("SASL_PLAINTEXT", ALERT)).contains("set security.protocol=SASL_SSL,");
        assertThat(reason("SSL", ALERT)).doesNotContain("security.protocol");
    }

    @Test
    void certificateIsBlamedOnlyForCertificateErrors() throws Exception {
        Map<Exception, String> reasons = Map.of(
                new SSLHandshakeException("No appropriate protocol"),
                "shares no TLS version or cipher with this client: No appropriate protocol; check"
                        + " ssl.enabled.protocols",
                new IOException("PKIX", new CertPathBuilderException("no path")),
                "has a certificate that is not trusted: no path; check ssl.truststore.location, which is not set");
        try (FakeListener listener = new FakeListener(ALERT)) {
            ListenerProbe probe = new ListenerProbe(new TreeMap<>(Map.of("security.protocol", "SSL")));
            reasons.forEach((cause, reason) -> assertThat(probe.reason(
                                    "127.0.0.1", listener.port(), new SslAuthenticationException("handshake", cause))
                            .text())
                    .startsWith(reason));
        }
    }

    @Test
    void aPlainListenerIsRecognisedByItsAnswers() throws Exception {
        assertThat(reason("SSL", plain(2)))
                .isEqualTo("does not use TLS, and security.protocol is SSL; set security.protocol=PLAINTEXT");
        assertThat(reason("SASL_PLAINTEXT", plain(2)))
                .isEqualTo("does not use SASL, and security.protocol is SASL_PLAINTEXT; set"
                        + " security.protocol=PLAINTEXT");
        assertThat(reason("PLAINTEXT", plain(2))).doesNotContain("security.protocol");
    }

    @Test
    void probeReportsSaslListenerForClientWithoutSasl() throws Exception {
        assertThat(reason("PLAINTEXT", plain(1)))
                .isEqualTo("requires SASL, and security.protocol is PLAINTEXT; set security.protocol=SASL_PLAINTEXT,"
                        + " sasl.mechanism and sasl.jaas.config");
        assertThat(reason("SASL_SSL", plain(1)))
                .isEqualTo("does not use TLS, and security.protocol is SASL_SSL; set security.protocol=SASL_PLAINTEXT");
        assertThat(reason("SASL_PLAINTEXT", plain(1))).doesNotContain("security.protocol");
    }

    @Test
    void otherServerIsIdentifiedByItsFirstLine() throws Exception {
        assertThat(reason("SSL", (in, out) -> {
                    in.read();
                    out.writeBytes("HTTP/1.1 400 Bad Request\r\n\r\n");
                }))
                .isEqualTo("is not a Kafka broker: it answers in HTTP, 'HTTP/1.1 400 Bad Request'");
        assertThat(reason("PLAINTEXT", (in, out) -> out.writeBytes("SSH-2.0-OpenSSH_9.6\r\n")))
                .isEqualTo("is not a Kafka broker: it answers 'SSH-2.0-OpenSSH_9.6'");
    }

    @Test
    void probeSendsHttpToServerThatWaitsForALine() throws Exception {
        assertThat(reason("PLAINTEXT", (in, out) -> {
                    while (in.readByte() != '\n') {
                        // As HTTP servers do.
                    }
                    out.writeBytes("HTTP/1.0 200 OK\r\n\r\n");
                }))
                .isEqualTo("is not a Kafka broker: it answers in HTTP, 'HTTP/1.0 200 OK'");
    }

    @Test
    @Tag("long")
    void closingAndSilentListenersHaveDifferentReasons() throws Exception {
        assertThat(reason("PLAINTEXT", (in, out) -> {}))
                .isEqualTo("accepts connections and closes them without an answer");
        assertThat(reason("PLAINTEXT", (in, out) -> in.readAllBytes()))
                .isEqualTo("accepts connections and does not answer within 1500 ms");
    }
}
