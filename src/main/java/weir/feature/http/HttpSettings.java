package weir.feature.http;

import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import weir.event.EventAttributes;
import weir.http.HttpServer;
import weir.http.HttpTarget;
import weir.load.message.LoadEvent;

/**
 * The settings of a sender.
 *
 * @param topics names on the cluster, by index
 * @param events true if each message is an event. Events go to the URL of a target, records to {@code /topics/TOPIC}
 *     below this URL
 * @param connections number of connections of each sender
 */
record HttpSettings(
        HttpSpec http,
        List<String> topics,
        boolean events,
        List<HttpTarget> targets,
        int connections,
        Optional<SslContext> tls) {
    /** Resolves the hosts of {@code urls}. The senders share the connections of {@code http} evenly. */
    static HttpSettings of(List<String> urls, List<String> topics, HttpSpec http, int senders, boolean events) {
        List<HttpTarget> targets =
                urls.stream().flatMap(url -> HttpTarget.of(url).stream()).toList();
        return new HttpSettings(
                http,
                List.copyOf(topics),
                events,
                targets,
                Math.max(1, http.connections() / Math.max(1, senders)),
                targets.stream().anyMatch(HttpTarget::tls) ? Optional.of(trusting(http)) : Optional.empty());
    }

    private static SslContext trusting(HttpSpec http) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            if (!http.tls().toString().isEmpty()) {
                builder.trustManager(http.tls().toFile());
            }
            if (http.spoken() == HttpSpec.Version.HTTP_2) {
                HttpServer.negotiate(builder, ApplicationProtocolNames.HTTP_2);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalStateException("load.http.tls: " + e.getMessage(), e);
        }
    }

    boolean second() {
        return http.spoken() == HttpSpec.Version.HTTP_2;
    }

    int batch() {
        return events || http.request() == HttpSpec.Request.RAW ? 1 : http.batch();
    }

    List<String> paths(HttpTarget target) {
        return events
                ? List.of(target.resource())
                : topics.stream()
                        .map(topic -> target.path() + "/topics/" + topic)
                        .toList();
    }

    /** The headers with the same value in all requests, in the order of HTTP/1.1. */
    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>(Map.of("Content-Type", http.request().contentType));
        if (events && http.request() != HttpSpec.Request.STRUCTURED) {
            headers.put(EventAttributes.HTTP_PREFIX + "specversion", EventAttributes.SPEC_VERSION);
            headers.put(EventAttributes.HTTP_PREFIX + "source", LoadEvent.SOURCE);
            headers.put(EventAttributes.HTTP_PREFIX + "type", LoadEvent.TYPE);
        }
        if (!http.token().isEmpty()) {
            headers.put("Authorization", "Bearer " + http.token());
        }
        return headers;
    }
}
