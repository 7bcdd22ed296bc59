package weir.bridge.http;

import java.time.Duration;

/**
 * A server as it is asked for.
 *
 * @param port 0 for any that is free
 * @param token that a request has to bring as {@code Authorization: Bearer TOKEN}; empty for none
 * @param patience with a request for which there is no room: meanwhile its client has to wait. Zero reads it to its end and
 *     refuses it then, so that its connection stays
 */
public record ServerSettings(String host, int port, RequestLimits limits, String token, Duration patience) {
    /** Names the place only: a token is a secret. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
