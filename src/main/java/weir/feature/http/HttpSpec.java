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
 * The settings of HTTP senders and their requests.
 *
 * @param connections number of connections of all senders together
 * @param batch maximum number of records in a request; always 1 for {@link Request#RAW}
 * @param linger time for which an incomplete request waits for more records
 * @param retries maximum number of retries of a request that was lost or answered with 429 or 503
 * @param tls PEM file with trusted certificates instead of Java's; an empty path stands for Java's
 * @param token sent as {@code Authorization: Bearer TOKEN}; a reference to a secret, or empty if none is sent
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

        final String contentType;

        Request(String contentType) {
            this.contentType = contentType;
        }
    }
}
