package weir.load.http;

import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.Optional;
import weir.plan.HttpSpec;

/**
 * The way in which senders make requests.
 *
 * @param topics that records are sent to
 * @param events true when each message is an event, sent to the URL of a target itself
 * @param connections of each sender
 * @param tls for targets that speak it
 */
record HttpSettings(
        HttpSpec http,
        List<String> topics,
        boolean events,
        List<HttpTarget> targets,
        int connections,
        Optional<SslContext> tls) {
    long timeoutNanos() {
        return http.timeout().toNanos();
    }

    boolean second() {
        return http.version() == HttpSpec.Version.HTTP_2;
    }

    /** Returns how many messages a request has at most. */
    int batch() {
        return events || http.request() == HttpSpec.Request.RAW ? 1 : http.batch();
    }

    /** The paths of requests to a target, one for each topic. */
    List<String> paths(HttpTarget target) {
        return events
                ? List.of(target.resource())
                : topics.stream()
                        .map(topic -> target.path() + "/topics/" + topic)
                        .toList();
    }

    /** True when the attributes of an event are headers of its request. */
    boolean binary() {
        return events && http.request() != HttpSpec.Request.STRUCTURED;
    }
}
