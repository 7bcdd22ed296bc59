package weir.wire;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SaslExtensions;
import org.apache.kafka.common.security.auth.SaslExtensionsCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerTokenCallback;
import org.apache.kafka.common.security.oauthbearer.internals.OAuthBearerClientInitialResponse;
import org.apache.kafka.common.security.oauthbearer.internals.unsecured.OAuthBearerUnsecuredLoginCallbackHandler;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import weir.time.MachineClock;

/** A login by a token of OAuth, which the handler of Kafka's client reads, and which is kept until it is about to expire. */
final class TokenLogin {
    static final String MECHANISM = "OAUTHBEARER";

    private static final String HANDLER = "sasl.login.callback.handler.class";
    private static final long MARGIN_MILLIS = 30_000;
    /** The limit for a token endpoint; Kafka's client has none by default. */
    private static final String PATIENCE_MILLIS = "10000";

    private static final byte[] GIVES_UP = {1};

    private final AuthenticateCallbackHandler handler;
    /** All that is said before the broker answers: the token and its extensions. */
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

    SaslLogin.Speech speech() throws IOException {
        byte[] first = first();
        return new SaslLogin.Speech() {
            private int said;
            private boolean complete;

            @Override
            public byte @Nullable [] answer(byte[] challenge) {
                said++;
                if (said == 1) {
                    return first;
                }
                complete = challenge.length == 0;
                // A challenge is the reason of a refusal, which the broker tells once more as an error.
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
                            ? "sasl.login.callback.handler.class is missing, or reads none"
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
