package weir.load.http;

import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.Optional;
import weir.plan.HttpSpec;

/**
 * The way in which senders make requests.
 *
 * @param connections of each sender
 * @param tls for targets that speak it
 */
record HttpSettings(
        HttpSpec http, List<String> topics, List<HttpTarget> targets, int connections, Optional<SslContext> tls) {
    long timeoutNanos() {
        return http.timeout().toNanos();
    }

    boolean second() {
        return http.version() == HttpSpec.Version.HTTP_2;
    }

    /** Returns how many messages a request has at most. */
    int batch() {
        return http.request() == HttpSpec.Request.RAW ? 1 : http.batch();
    }
}
