package weir.plan;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The requests of senders that speak HTTP.
 *
 * @param connections number of connections of all senders
 * @param batch maximum records in a request, unless it is {@link Request#RAW}
 * @param linger time that a request waits for more records
 * @param timeout time limit from sending a request to its answer
 * @param retries maximum retries of a request that was lost or answered 429 or 503
 * @param trusted PEM certificates that replace Java's own; an empty path keeps Java's own
 * @param token sent as {@code Authorization: Bearer TOKEN}; a reference to a secret, or empty for none
 */
public record HttpSpec(
        int connections,
        Version version,
        Request request,
        int batch,
        Duration linger,
        Duration timeout,
        int retries,
        Path trusted,
        String token) {

    public HttpSpec withToken(String resolved) {
        return new HttpSpec(connections, version, request, batch, linger, timeout, retries, trusted, resolved);
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
