package weir.http;

import java.time.Duration;

/**
 * A server as it is asked for.
 *
 * @param port 0 for any that is free
 * @param access to it
 * @param patience with a request for which there is no room: meanwhile its client has to wait. Zero reads it to its end and
 *     refuses it then, so that its connection stays
 */
public record ServerSettings(String host, int port, RequestLimits limits, Access access, Duration patience) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
