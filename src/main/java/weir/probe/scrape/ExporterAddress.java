package weir.probe.scrape;

import java.net.URI;

/** The address of an exporter; what is shown of it has no query, in which a secret may be. */
record ExporterAddress(URI uri) {
    static ExporterAddress of(String url) {
        return new ExporterAddress(URI.create(url));
    }

    String host() {
        String host = uri.getHost();
        return host == null ? uri.getAuthority() : host;
    }

    /** The host, and the port where it is said. */
    String hostAndPort() {
        return uri.getPort() < 0 ? host() : host() + ":" + uri.getPort();
    }

    @Override
    public String toString() {
        return uri.getScheme() + "://" + hostAndPort() + uri.getPath();
    }
}
