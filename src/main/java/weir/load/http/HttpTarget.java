package weir.load.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server to send to: one address of one URL.
 *
 * @param host as a request names it
 * @param path in front of {@code /topics}, without a slash at its end
 * @param resource path and query as they stand in the URL, for events
 */
record HttpTarget(InetSocketAddress address, boolean tls, String name, String host, String path, String resource) {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /** All addresses that a URL stands for. */
    static List<HttpTarget> of(String url) {
        URI uri = URI.create(url);
        boolean tls = "https".equalsIgnoreCase(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? HTTPS : HTTP;
        String whole = uri.getRawPath() == null ? "" : uri.getRawPath();
        String path = whole.replaceAll("/+$", "");
        String resource = (whole.isEmpty() ? "/" : whole) + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        String host = uri.getPort() >= 0 ? uri.getHost() + ":" + port : uri.getHost();
        List<HttpTarget> all = new ArrayList<>();
        try {
            for (InetAddress address : InetAddress.getAllByName(uri.getHost())) {
                all.add(new HttpTarget(new InetSocketAddress(address, port), tls, uri.getHost(), host, path, resource));
            }
        } catch (UnknownHostException e) {
            throw new IllegalStateException("no machine is called '" + uri.getHost() + "' (" + url + ")", e);
        }
        return all;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + path;
    }
}
