package weir.feature.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.LoadPart;

/**
 * The requests of HTTP senders.
 *
 * @param connections of all senders together
 * @param batch maximum records in a request, except for {@link Request#RAW}
 * @param linger wait of a request for more records
 * @param timeout from sending a request to its answer
 * @param retries maximum retries of a request that was lost or answered 429 or 503
 * @param tls PEM certificates that replace Java's own; an empty path keeps Java's own
 * @param token sent as {@code Authorization: Bearer TOKEN}; a reference to a secret, or empty for none
 */
public record HttpSpec(
        int connections,
        String version,
        Request request,
        int batch,
        Duration linger,
        Duration timeout,
        int retries,
        Path tls,
        String token)
        implements LoadPart {
    static final String TOKEN = "load.http.token";

    public HttpSpec withToken(String resolved) {
        return new HttpSpec(connections, version, request, batch, linger, timeout, retries, tls, resolved);
    }

    public Version spoken() {
        return version.equals("2") ? Version.HTTP_2 : Version.HTTP_1_1;
    }

    @Override
    public SortedMap<String, String> secrets() {
        return token.isEmpty() ? Collections.emptySortedMap() : new TreeMap<>(Map.of(TOKEN, token));
    }

    @Override
    public List<Path> files() {
        return List.of(tls);
    }

    @Override
    public String withoutNullTarget() {
        return spoken() == Version.HTTP_2 ? "a null target does not support HTTP/2" : "";
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return version + " " + request;
    }

    public enum Version {
        HTTP_1_1,
        HTTP_2
    }

    public enum Request {
        RAW("application/octet-stream"),
        LINES("application/x-ndjson"),
        REST_V2("application/vnd.kafka.binary.v2+json"),
        STRUCTURED("application/cloudevents+json");

        private final String contentType;

        Request(String contentType) {
            this.contentType = contentType;
        }

        public String contentType() {
            return contentType;
        }
    }
}
