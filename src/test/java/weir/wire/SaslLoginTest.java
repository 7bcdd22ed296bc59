package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.callback.Callback;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.scram.ScramCredentialCallback;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslServer;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class SaslLoginTest {
    private final List<ApiKeys> requests = new CopyOnWriteArrayList<>();

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String MODULE =
            "org.apache.kafka.common.security.%s required username=\"%s\" password=\"%s\";";

    private static BrokerAccess access(String mechanism, String user, String password) {
        String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
        return BrokerAccess.of(Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                mechanism,
                "sasl.jaas.config",
                MODULE.formatted(module, user, password)));
    }

    private static void open(FakeBroker broker, BrokerAccess access) throws IOException {
        Connection.open(broker.at(), access, Connection.Options.named("test"), LIMIT)
                .close();
    }

    private FakeBroker broker(List<String> mechanisms, Judge judge) throws IOException {
        return new FakeBroker(FakeBroker.open((asked, out) -> {
            requests.add(asked.api());
            ByteBufferAccessor body = new ByteBufferAccessor(asked.body());
            if (asked.api() == ApiKeys.SASL_HANDSHAKE) {
                String wanted = new SaslHandshakeRequestData(body, asked.version()).mechanism();
                SaslHandshakeResponseData answer = new SaslHandshakeResponseData().setMechanisms(mechanisms);
                if (!mechanisms.contains(wanted)) {
                    answer.setErrorCode(Errors.UNSUPPORTED_SASL_MECHANISM.code());
                }
                out.write(asked.answer(answer));
            } else {
                SaslAuthenticateResponseData answer = new SaslAuthenticateResponseData();
                try {
                    byte[] said = new SaslAuthenticateRequestData(body, asked.version()).authBytes();
                    answer.setAuthBytes(judge.answer(said));
                } catch (SaslException | SaslAuthenticationException e) {
                    answer.setErrorCode(Errors.SASL_AUTHENTICATION_FAILED.code());
                    answer.setErrorMessage("wrong name or password");
                }
                out.write(asked.answer(answer));
            }
        }));
    }

    private interface Judge {
        byte[] answer(byte[] said) throws SaslException;
    }

    private static Judge scram(ScramMechanism mechanism, String password) throws Exception {
        var credential = new ScramFormatter(mechanism).generateCredential(password, 4_096);
        SaslServer server = new ScramSaslServer(mechanism, new HashMap<>(), callbacks -> {
            for (Callback callback : callbacks) {
                if (callback instanceof ScramCredentialCallback wanted) {
                    wanted.scramCredential(credential);
                }
            }
        });
        return server::evaluateResponse;
    }

    @Test
    void plainLoginSucceeds() throws Exception {
        Judge judge = said -> {
            assertThat(new String(said, StandardCharsets.UTF_8)).isEqualTo("\0anna\0pässword");
            return new byte[0];
        };
        try (FakeBroker broker = broker(List.of("PLAIN"), judge)) {
            open(broker, access("PLAIN", "anna", "pässword"));
            assertThat(requests).containsExactly(ApiKeys.SASL_HANDSHAKE, ApiKeys.SASL_AUTHENTICATE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCRAM-SHA-256", "SCRAM-SHA-512"})
    void scramLetsInWhoKnowsThePassword(String mechanism) throws Exception {
        Judge judge = scram(ScramMechanism.forMechanismName(mechanism), "open sesame");
        try (FakeBroker broker = broker(List.of("PLAIN", mechanism), judge)) {
            open(broker, access(mechanism, "ali,=baba", "open sesame"));
        }
    }

    @Test
    void wrongPasswordIsRefusedWithoutRevealingIt() throws Exception {
        Judge judge = scram(ScramMechanism.SCRAM_SHA_256, "open sesame");
        try (FakeBroker broker = broker(List.of("SCRAM-SHA-256"), judge)) {
            assertThatThrownBy(() -> open(broker, access("SCRAM-SHA-256", "ali", "hunter2-secret")))
                    .isInstanceOf(BrokerRefusal.class)
                    .hasMessage(
                            "broker " + broker.at() + " rejected the login with SCRAM-SHA-256: wrong name or password")
                    .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("hunter2"));
        }
    }

    @Test
    void scramBrokerWithoutThePasswordIsRefused() throws Exception {
        Judge real = scram(ScramMechanism.SCRAM_SHA_256, "open sesame");
        Judge impostor = said -> {
            byte[] answer = real.answer(said);
            String text = new String(answer, StandardCharsets.UTF_8);
            return text.startsWith("v=") ? "v=bm90IG1l".getBytes(StandardCharsets.UTF_8) : answer;
        };
        try (FakeBroker broker = broker(List.of("SCRAM-SHA-256"), impostor)) {
            assertThatThrownBy(() -> open(broker, access("SCRAM-SHA-256", "ali", "open sesame")))
                    .isInstanceOf(BrokerRefusal.class)
                    .hasMessageContaining("failed to authenticate itself with SCRAM-SHA-256");
        }
    }

    @Test
    void unsupportedMechanismListsTheSupportedOnes() throws Exception {
        try (FakeBroker broker = broker(List.of("SCRAM-SHA-512", "GSSAPI"), said -> said)) {
            assertThatThrownBy(() -> open(broker, access("PLAIN", "ali", "x")))
                    .hasMessage("broker " + broker.at()
                            + " does not support 'PLAIN' as sasl.mechanism; it supports SCRAM-SHA-512, GSSAPI");
        }
    }

    @Test
    void noSecretIsInAnyText() {
        assertThat(access("PLAIN", "anna", "geheim-17")).hasToString("SASL_PLAINTEXT PLAIN");
        for (String config : List.of("username=anna password=\"geheim-17", "x.Y required password=\"geheim-17\";")) {
            assertThatThrownBy(() -> BrokerAccess.of(Map.of(
                            "security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN", "sasl.jaas.config", config)))
                    .hasMessageContaining("sasl.jaas.config")
                    .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("geheim"));
        }
    }

    @Test
    void unknownProtocolIsRefusedWithTheAllowedValues() {
        assertThatThrownBy(() -> BrokerAccess.of(Map.of("security.protocol", "TLS")))
                .hasMessage("security.protocol: 'TLS' is not one of PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL");
        assertThatThrownBy(() -> BrokerAccess.of(Map.of("security.protocol", "SASL_SSL")))
                .hasMessage("sasl.mechanism: 'GSSAPI' is not one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER");
    }
}
