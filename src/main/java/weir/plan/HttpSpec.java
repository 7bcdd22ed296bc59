package weir.plan;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The requests of senders that speak HTTP.
 *
 * @param connections of all senders
 * @param batch records of a request at most, where it is not {@link Request#RAW}
 * @param linger how long a request waits for more records
 * @param timeout from sending a request to its answer
 * @param retries of a request that was answered 429 or 503, or lost
 * @param trusted certificates in PEM form that are trusted instead of Java's own; an empty path for those
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

    /** The same with the token that a reference leads to. */
    public HttpSpec withToken(String resolved) {
        return new HttpSpec(connections, version, request, batch, linger, timeout, retries, trusted, resolved);
    }

    /** Without its token. */
    @Override
    public String toString() {
        return version + " " + request;
    }

    /** The version of the protocol. */
    public enum Version {
        HTTP_1_1,
        HTTP_2
    }

    /** The way in which a body holds records. */
    public enum Request {
        RAW("application/octet-stream"),
        LINES("application/x-ndjson"),
        REST_V2("application/vnd.kafka.binary.v2+json"),
        /** An event as JSON, attributes and data in one. */
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
