package weir.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A target server of a client: one address of one URL.
 *
 * @param name host name in the URL
 * @param host host and port as in the URL, for the header {@code Host}
 * @param path path of the URL, without a slash at its end
 * @param resource path and query of the URL
 */
public record HttpTarget(
        String url, InetSocketAddress address, boolean tls, String name, String host, String path, String resource) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** Returns a target for each address of the URL's host. */
    public static List<HttpTarget> of(String url) {
        URI uri = uri(url);
        String name = uri.getHost();
        boolean tls = "https".equalsIgnoreCase(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? HTTPS : HTTP;
        String host = uri.getPort() >= 0 ? name + ":" + port : name;
        String whole = uri.getRawPath() == null ? "" : uri.getRawPath();
        String path = whole.replaceAll("/+$", "");
        String resource = (whole.isEmpty() ? "/" : whole) + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        try {
            return Stream.of(InetAddress.getAllByName(name))
                    .map(address -> new InetSocketAddress(address, port))
                    .map(address -> new HttpTarget(url, address, tls, name, host, path, resource))
                    .toList();
        } catch (UnknownHostException e) {
            throw new IllegalStateException("cannot resolve host name '" + name + "' of " + url, e);
        }
    }

    private static URI uri(String url) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() == null) {
                throw new URISyntaxException(url, "it has no host");
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new IllegalStateException(
                    "'" + url + "' is not a URL with a host; write it like http://HOST:PORT/PATH", e);
        }
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + path;
    }
}
