package weir.http;

import java.time.Duration;

/**
 * The most that a server takes from one client, so that no client can use it up.
 *
 * @param bodyBytes of one request
 * @param records of one request
 * @param headBytes of all header lines of a request together, and of its first line
 * @param headers lines of a request
 * @param headTime from the first byte of a request, or the begin of a connection, to the end of its header
 * @param bodyTime from there to the end of the body, while the server reads
 * @param idleTime of a connection without a request
 * @param connections at once; one more is closed as soon as it is there
 * @param streams of one HTTP/2 connection at once
 * @param resets of HTTP/2 streams by one client within ten seconds
 * @param pipelined requests of one HTTP/1.1 connection that wait for their answers
 */
public record RequestLimits(
        int bodyBytes,
        int records,
        int headBytes,
        int headers,
        Duration headTime,
        Duration bodyTime,
        Duration idleTime,
        int connections,
        int streams,
        int resets,
        int pipelined) {
    public static final RequestLimits DEFAULT = new RequestLimits(
            4 << 20,
            10_000,
            16 << 10,
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            10_000,
            128,
            200,
            64);
}
