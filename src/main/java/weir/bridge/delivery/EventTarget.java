package weir.bridge.delivery;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A server that events are sent to, by HTTP/1.1 without TLS.
 *
 * @param begin the lines of a request that are the same for all events
 */
@SuppressWarnings("ArrayRecordComponent")
record EventTarget(String url, InetSocketAddress address, byte[] begin) {
    private static final int HTTP = 80;

    static EventTarget of(String url) throws IOException {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "'" + url + "' is not a URL to send events to; write it like http://HOST:PORT/PATH", e);
        }
        if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
            throw new IOException(
                    "'" + url + "': events are sent on by http only; write it like http://HOST:PORT/PATH");
        }
        InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? HTTP : uri.getPort());
        if (address.isUnresolved()) {
            throw new IOException("no machine is called '" + uri.getHost() + "' (" + url + ")");
        }
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        String begin = "POST " + path + query + " HTTP/1.1\r\nhost: " + uri.getRawAuthority() + "\r\n";
        return new EventTarget(url, address, begin.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return url;
    }
}
