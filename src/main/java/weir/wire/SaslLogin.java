package weir.wire;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SaslExtensions;
import org.apache.kafka.common.security.auth.SaslExtensionsCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerTokenCallback;
import org.apache.kafka.common.security.oauthbearer.internals.OAuthBearerClientInitialResponse;
import org.apache.kafka.common.security.oauthbearer.internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import weir.time.MachineClock;

/** A login at a broker: by name and password, by token, or anonymous. */
final class SaslLogin {
    private static final String PLAIN = "PLAIN";
    private static final List<String> MECHANISMS =
            List.of(PLAIN, "SCRAM-SHA-256", "SCRAM-SHA-512", TokenLogin.MECHANISM);
    private static final String HOW = "; write it like org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"…\" password=\"…\";";

    final String mechanism;
    final MechanismFactory speaker;

    interface MechanismFactory {
        Mechanism speech() throws IOException;
    }

    private SaslLogin(String mechanism, MechanismFactory speaker) {
        this.mechanism = mechanism;
        this.speaker = speaker;
    }

    static SaslLogin none() {
        return new SaslLogin("", () -> {
            throw new IOException("this listener has no login");
        });
    }

    static SaslLogin of(Map<String, String> properties) {
        String mechanism = properties.getOrDefault("sasl.mechanism", "GSSAPI");
        if (!MECHANISMS.contains(mechanism)) {
            throw new IllegalArgumentException(
                    "sasl.mechanism: '" + mechanism + "' is not one of " + String.join(", ", MECHANISMS));
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
            throw new IllegalArgumentException("sasl.jaas.config: needs a username and a password" + HOW);
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
            // The original message and cause would quote the value, which may be a secret.
            throw new IllegalArgumentException("sasl.jaas.config: must be one login module with its options" + HOW);
        }
    }

    boolean needed() {
        return !mechanism.isEmpty();
    }

    interface Mechanism {
        byte @Nullable [] answer(byte[] challenge) throws SaslException;

        boolean complete();
    }

    private static Mechanism scram(String mechanism, String user, String password) throws IOException {
        try {
            ScramSaslClient scram = new ScramSaslClient(
                    ScramMechanism.forMechanismName(mechanism),
                    callbacks -> answerCallbacks(callbacks, user, password));
            return new Mechanism() {
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
            throw new IOException("this JVM does not support " + mechanism, e);
        }
    }

    private static void answerCallbacks(Callback[] callbacks, String user, String password)
            throws UnsupportedCallbackException {
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

    /** A login as in RFC 4616: one message with the password, and an empty answer. */
    private static final class Plain implements Mechanism {
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

    /** A login by an OAuth token. Kafka's handler reads the token, which Weir keeps until shortly before its expiry. */
    private static final class TokenLogin {
        static final String MECHANISM = "OAUTHBEARER";

        private static final String HANDLER = "sasl.login.callback.handler.class";
        private static final long MARGIN_MILLIS = 30_000;
        /** The time limit for a token endpoint, because Kafka's client has none by default. */
        private static final String PATIENCE_MILLIS = "10000";

        private static final byte[] GIVES_UP = {1};

        private final AuthenticateCallbackHandler handler;
        private byte[] words = {};

        private long expiresMillis;

        private TokenLogin(AuthenticateCallbackHandler handler) {
            this.handler = handler;
        }

        static TokenLogin of(Map<String, String> properties, List<AppConfigurationEntry> modules) {
            try {
                Map<String, Object> all = new TreeMap<>(properties);
                SortedMap<String, String> patient = new TreeMap<>(properties);
                patient.putIfAbsent("sasl.login.connect.timeout.ms", PATIENCE_MILLIS);
                patient.putIfAbsent("sasl.login.read.timeout.ms", PATIENCE_MILLIS);
                all.putAll(new ConfigDef()
                        .withClientSslSupport()
                        .withClientSaslSupport()
                        .parse(patient));
                AuthenticateCallbackHandler handler = all.get(HANDLER) instanceof Class<?> named
                        ? (AuthenticateCallbackHandler) Utils.newInstance(named)
                        : new OAuthBearerUnsecuredLoginCallbackHandler();
                handler.configure(all, MECHANISM, modules);
                return new TokenLogin(handler);
            } catch (KafkaException | ClassCastException e) {
                throw new IllegalArgumentException("sasl.*: " + e.getMessage(), e);
            }
        }

        SaslLogin.Mechanism speech() throws IOException {
            byte[] first = first();
            return new SaslLogin.Mechanism() {
                private int said;
                private boolean complete;

                @Override
                public byte @Nullable [] answer(byte[] challenge) {
                    said++;
                    if (said == 1) {
                        return first;
                    }
                    complete = challenge.length == 0;
                    // A challenge here is the reason of a refusal; the broker repeats it as an error.
                    return complete ? null : GIVES_UP;
                }

                @Override
                public boolean complete() {
                    return complete;
                }
            };
        }

        private synchronized byte[] first() throws IOException {
            if (words.length == 0 || expiresMillis - MARGIN_MILLIS < MachineClock.WALL.millis()) {
                read();
            }
            return words;
        }

        private void read() throws IOException {
            OAuthBearerTokenCallback asked = new OAuthBearerTokenCallback();
            SaslExtensionsCallback extensions = new SaslExtensionsCallback();
            try {
                handler.handle(new Callback[] {asked});
            } catch (UnsupportedCallbackException | KafkaException e) {
                throw new BrokerRefusal("no token for " + MECHANISM + ": " + e.getMessage(), e);
            }
            OAuthBearerToken token = asked.token();
            if (token == null) {
                throw new BrokerRefusal("no token for " + MECHANISM + ": "
                        + (asked.errorCode() == null
                                ? "sasl.login.callback.handler.class is missing, or returns none"
                                : asked.errorCode() + ", " + asked.errorDescription()));
            }
            try {
                handler.handle(new Callback[] {extensions});
            } catch (UnsupportedCallbackException none) {
                extensions.extensions(SaslExtensions.empty());
            }
            words = new OAuthBearerClientInitialResponse(token.value(), extensions.extensions()).toBytes();
            expiresMillis = token.lifetimeMs();
        }
    }
}
