package weir.wire;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SaslExtensions;
import org.apache.kafka.common.security.auth.SaslExtensionsCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerTokenCallback;
import org.apache.kafka.common.security.oauthbearer.internals.OAuthBearerSaslClient;
import org.apache.kafka.common.security.oauthbearer.internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.time.MachineClock;

/**
 * A login at a broker: by name and password, by token, or anonymous.
 *
 * @param client makes the client for one connection
 */
record SaslLogin(String mechanism, Io.Reading<SaslClient> client) {
    private static final String PLAIN = "PLAIN";
    private static final List<String> MECHANISMS =
            List.of(PLAIN, "SCRAM-SHA-256", "SCRAM-SHA-512", TokenLogin.MECHANISM);
    private static final String HOW = "; write it like org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"…\" password=\"…\";";

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
            return new SaslLogin(mechanism, TokenLogin.of(properties, modules)::client);
        }
        Map<String, ?> options = modules.get(0).getOptions();
        if (!(options.get("username") instanceof String user)
                || !(options.get("password") instanceof String password)) {
            throw new IllegalArgumentException("sasl.jaas.config: needs a username and a password" + HOW);
        }
        return new SaslLogin(mechanism, () -> client(mechanism, user, password));
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

    private static SaslClient client(String mechanism, String user, String password) throws IOException {
        CallbackHandler answers = callbacks -> answerCallbacks(callbacks, user, password);
        if (mechanism.equals(PLAIN)) {
            return Sasl.createSaslClient(new String[] {PLAIN}, null, "kafka", "", Map.of(), answers);
        }
        try {
            return new ScramSaslClient(ScramMechanism.forMechanismName(mechanism), answers);
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

    @Override
    public String toString() {
        return needed() ? " " + mechanism : "";
    }

    /** A login by an OAuth token. Kafka's handler reads the token, which Weir keeps until shortly before its expiry. */
    private static final class TokenLogin implements AuthenticateCallbackHandler {
        static final String MECHANISM = "OAUTHBEARER";

        private static final String HANDLER = "sasl.login.callback.handler.class";
        private static final long MARGIN_MILLIS = 30_000;
        /** The time limit for a token endpoint, because Kafka's client has none by default. */
        private static final String TIMEOUT_MILLIS = "10000";

        private final AuthenticateCallbackHandler handler;
        private @Nullable OAuthBearerToken token;
        private SaslExtensions extensions = SaslExtensions.empty();

        private TokenLogin(AuthenticateCallbackHandler handler) {
            this.handler = handler;
        }

        static TokenLogin of(Map<String, String> properties, List<AppConfigurationEntry> modules) {
            try {
                Map<String, Object> all = new TreeMap<>(properties);
                SortedMap<String, String> limited = new TreeMap<>(properties);
                limited.putIfAbsent("sasl.login.connect.timeout.ms", TIMEOUT_MILLIS);
                limited.putIfAbsent("sasl.login.read.timeout.ms", TIMEOUT_MILLIS);
                all.putAll(new ConfigDef()
                        .withClientSslSupport()
                        .withClientSaslSupport()
                        .parse(limited));
                AuthenticateCallbackHandler handler = all.get(HANDLER) instanceof Class<?> named
                        ? (AuthenticateCallbackHandler) Utils.newInstance(named)
                        : new OAuthBearerUnsecuredLoginCallbackHandler();
                handler.configure(all, MECHANISM, modules);
                return new TokenLogin(handler);
            } catch (KafkaException | ClassCastException e) {
                throw new IllegalArgumentException("sasl.*: " + e.getMessage(), e);
            }
        }

        synchronized SaslClient client() throws IOException {
            if (token == null || token.lifetimeMs() - MARGIN_MILLIS < MachineClock.WALL.millis()) {
                read();
            }
            return new OAuthBearerSaslClient(this);
        }

        private void read() throws IOException {
            OAuthBearerTokenCallback asked = new OAuthBearerTokenCallback();
            SaslExtensionsCallback more = new SaslExtensionsCallback();
            try {
                handler.handle(new Callback[] {asked});
            } catch (UnsupportedCallbackException | KafkaException e) {
                throw new BrokerRefusal("no token for " + MECHANISM + ": " + e.getMessage(), e);
            }
            if (asked.token() == null) {
                throw new BrokerRefusal("no token for " + MECHANISM + ": "
                        + (asked.errorCode() == null
                                ? "sasl.login.callback.handler.class is missing, or returns none"
                                : asked.errorCode() + ", " + asked.errorDescription()));
            }
            try {
                handler.handle(new Callback[] {more});
                extensions = more.extensions();
            } catch (UnsupportedCallbackException none) {
                extensions = SaslExtensions.empty();
            }
            token = asked.token();
        }

        @Override
        public synchronized void handle(Callback[] callbacks) {
            for (Callback callback : callbacks) {
                if (callback instanceof OAuthBearerTokenCallback asked) {
                    asked.token(token);
                } else if (callback instanceof SaslExtensionsCallback asked) {
                    asked.extensions(extensions);
                }
            }
        }

        @Override
        public void configure(
                Map<String, ?> configs, String saslMechanism, List<AppConfigurationEntry> jaasConfigEntries) {}

        @Override
        public void close() {}
    }
}
