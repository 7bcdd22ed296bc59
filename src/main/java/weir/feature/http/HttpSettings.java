package weir.feature.http;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weir.event.EventAttributes;
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
    long timeoutNanos() {
        return http.timeout().toNanos();
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
        Map<String, String> headers =
                new LinkedHashMap<>(Map.of("Content-Type", http.request().contentType()));
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

    /**
     * A target server: one address of one URL.
     *
     * @param path of the URL before {@code /topics/TOPIC}, without a slash at its end
     * @param resource path and query of the URL, for events
     */
    record HttpTarget(InetSocketAddress address, boolean tls, String name, String host, String path, String resource) {
        private static final int HTTP = 80;
        private static final int HTTPS = 443;

        static List<HttpTarget> of(String url) {
            URI uri = URI.create(url);
            boolean tls = "https".equalsIgnoreCase(uri.getScheme());
            int port = uri.getPort() >= 0 ? uri.getPort() : tls ? HTTPS : HTTP;
            String whole = uri.getRawPath() == null ? "" : uri.getRawPath();
            String path = whole.replaceAll("/+$", "");
            String resource =
                    (whole.isEmpty() ? "/" : whole) + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
            String host = uri.getPort() >= 0 ? uri.getHost() + ":" + port : uri.getHost();
            List<HttpTarget> all = new ArrayList<>();
            try {
                for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
                    all.add(new HttpTarget(
                            new InetSocketAddress(address, port), tls, uri.getHost(), host, path, resource));
                }
            } catch (UnknownHostException e) {
                throw new IllegalStateException("cannot resolve host name '" + uri.getHost() + "' of " + url, e);
            }
            return all;
        }

        @Override
        public String toString() {
            return (tls ? "https://" : "http://") + host + path;
        }
    }
}
