package weir.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;
import org.jspecify.annotations.Nullable;

/** A name and password, a token, or nobody in particular. */
final class SaslLogin {
    private static final String PLAIN = "PLAIN";
    private static final List<String> MECHANISMS =
            List.of(PLAIN, "SCRAM-SHA-256", "SCRAM-SHA-512", TokenLogin.MECHANISM);
    private static final String HOW = "; write it like org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"…\" password=\"…\";";

    private final String mechanism;
    private final Speaker speaker;

    /** The maker of our side of an exchange. */
    private interface Speaker {
        Speech speech() throws IOException;
    }

    private SaslLogin(String mechanism, Speaker speaker) {
        this.mechanism = mechanism;
        this.speaker = speaker;
    }

    static SaslLogin nobody() {
        return new SaslLogin("", () -> {
            throw new IOException("nobody logs in here");
        });
    }

    static SaslLogin of(Map<String, String> properties) {
        String mechanism = properties.getOrDefault("sasl.mechanism", "GSSAPI");
        if (!MECHANISMS.contains(mechanism)) {
            throw new IllegalArgumentException(
                    "sasl.mechanism: '" + mechanism + "' is none of " + String.join(", ", MECHANISMS));
        }
        String config = properties.getOrDefault("sasl.jaas.config", "");
        if (config.isBlank()) {
            throw new IllegalArgumentException("sasl.jaas.config: is missing" + HOW);
        }
        List<AppConfigurationEntry> modules = modules(config);
        if (mechanism.equals(TokenLogin.MECHANISM)) {
            return new SaslLogin(mechanism, TokenLogin.of(properties, modules)::speech);
        }
        Map<String, ?> options = modules.get(0).getOptions();
        if (!(options.get("username") instanceof String user)
                || !(options.get("password") instanceof String password)) {
            throw new IllegalArgumentException("sasl.jaas.config: has no username or no password" + HOW);
        }
        return new SaslLogin(
                mechanism,
                () -> mechanism.equals(PLAIN) ? new Plain(user, password) : scram(mechanism, user, password));
    }

    private static List<AppConfigurationEntry> modules(String config) {
        try {
            return JaasContext.loadClientContext(Map.of("sasl.jaas.config", new Password(config)))
                    .configurationEntries();
        } catch (RuntimeException e) {
            // Its own message and cause would quote what stands there.
            throw new IllegalArgumentException("sasl.jaas.config: is not one login module with its options" + HOW);
        }
    }

    boolean needed() {
        return !mechanism.isEmpty();
    }

    String mechanism() {
        return mechanism;
    }

    /** Our side of an exchange with a broker. */
    interface Speech {
        byte @Nullable [] answer(byte[] challenge) throws SaslException;

        boolean complete();
    }

    Speech speech() throws IOException {
        return speaker.speech();
    }

    private static Speech scram(String mechanism, String user, String password) throws IOException {
        try {
            ScramSaslClient scram = new ScramSaslClient(
                    ScramMechanism.forMechanismName(mechanism), callbacks -> tell(callbacks, user, password));
            return new Speech() {
                @Override
                public byte @Nullable [] answer(byte[] challenge) throws SaslException {
                    return scram.evaluateChallenge(challenge);
                }

                @Override
                public boolean complete() {
                    return scram.isComplete();
                }
            };
        } catch (NoSuchAlgorithmException e) {
            throw new IOException("this JVM does not know " + mechanism, e);
        }
    }

    private static void tell(Callback[] callbacks, String user, String password) throws UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            if (callback instanceof NameCallback name) {
                name.setName(user);
            } else if (callback instanceof PasswordCallback secret) {
                secret.setPassword(password.toCharArray());
            } else if (!(callback instanceof ScramExtensionsCallback)) {
                throw new UnsupportedCallbackException(callback);
            }
        }
    }

    /** RFC 4616: one message, and an empty answer. */
    private static final class Plain implements Speech {
        private final String user;
        private final String password;
        private boolean said;

        Plain(String user, String password) {
            this.user = user;
            this.password = password;
        }

        @Override
        public byte[] answer(byte[] challenge) {
            said = true;
            return ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public boolean complete() {
            return said;
        }
    }

    @Override
    public String toString() {
        return needed() ? " " + mechanism : "";
    }
}
