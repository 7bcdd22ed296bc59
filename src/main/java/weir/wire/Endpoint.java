package weir.wire;

import java.util.Arrays;
import java.util.List;

/** The address at which a broker listens. */
public record Endpoint(String host, int port) {
    public Endpoint {
        if (host.isBlank() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "an endpoint needs a host and a port from 1 to 65535, got '" + host + ":" + port + "'");
        }
    }

    public static List<Endpoint> list(String bootstrap) {
        return Arrays.stream(bootstrap.split(",", -1))
                .map(String::strip)
                .filter(one -> !one.isEmpty())
                .map(Endpoint::parse)
                .toList();
    }

    private static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon)).replaceFirst("^\\w+://", "");
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String port = text.substring(colon + 1);
        if (host.isBlank() || !port.matches("\\d{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not an endpoint; write it like kafka-1:9092");
        }
        return new Endpoint(host, Integer.parseInt(port));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
