package weir.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules about which clients a server answers. With a token, a client must send the token. Without a token, a server
 * on loopback requires that the request names a local host, as protection against DNS rebinding. No server answers a
 * page of another origin.
 *
 * @param token empty for none
 * @param names the accepted host names of the server, without a port; empty for any
 */
public record Access(String token, Set<String> names) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";
    private static final String SAME = "same-origin";

    public Access {
        names = Set.copyOf(names);
    }

    /**
     * Returns the access to a server.
     *
     * @param anyHost true if a certificate or a balancer ensures that clients use the right name of the server
     */
    public static Access to(InetSocketAddress at, String token, boolean anyHost) {
        if (!token.isEmpty() || anyHost || at.isUnresolved() || !at.getAddress().isLoopbackAddress()) {
            return new Access(token, Set.of());
        }
        Set<String> names = new LinkedHashSet<>(LOOPBACK);
        names.add(bracketed(at.getHostString()));
        names.add(bracketed(at.getAddress().getHostAddress()));
        return new Access(token, names);
    }

    /** Returns a host as it is written before a port: an IPv6 address has brackets. */
    public static String bracketed(String host) {
        return host.indexOf(':') < 0 ? host : "[" + host + "]";
    }

    public static String hostPort(InetSocketAddress address) {
        return bracketed(address.getAddress().getHostAddress()) + ":" + address.getPort();
    }

    /**
     * Refuses a malformed request, and a request of a client without access.
     *
     * @param open true for health checks of balancers, which need neither a token nor the server's name
     */
    public void check(HttpRequest head, boolean open) throws Refusal {
        String host = host(head);
        understood(head);
        if (foreign(head, host)) {
            throw new Refusal(
                    HttpResponseStatus.FORBIDDEN, "a page of another origin must not send requests to this server");
        }
        if (open) {
            return;
        }
        if (!token.isEmpty() && !same(credentials(head.headers().get("authorization")))) {
            throw new Refusal(
                    HttpResponseStatus.UNAUTHORIZED,
                    "a token is required: Authorization: Bearer TOKEN, or the token as the password of any user",
                    Map.of("www-authenticate", "Basic realm=\"weir\", charset=\"UTF-8\""));
        }
        if (!named(host) && !(old(head) && host.isEmpty())) {
            throw new Refusal(
                    HttpResponseStatus.MISDIRECTED_REQUEST,
                    "the Host must be 127.0.0.1 or localhost, found '" + host + "'; other names require a token");
        }
    }

    /** Returns the requested host (RFC 9112, 3.2); empty if the request may omit the host and does. */
    private static String host(HttpRequest head) throws Refusal {
        String host = head.headers().get("host");
        if (host == null && !old(head)) {
            throw Refusal.bad("an HTTP/1.1 request must have a Host");
        }
        if (host != null && (repeats(head, "host") || !valid(host))) {
            throw Refusal.bad("a request must have one Host, written HOST:PORT");
        }
        String target = head.uri();
        if (absolute(target)) {
            return authority(target);
        }
        return host == null ? "" : host;
    }

    private static boolean old(HttpRequest head) {
        return head.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
    }

    private static boolean repeats(HttpRequest head, String name) {
        Iterator<?> values = head.headers().valueCharSequenceIterator(name);
        if (values.hasNext()) {
            values.next();
        }
        return values.hasNext();
    }

    private static boolean valid(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (c <= ' ' || c > '~' || c == ',' || c == '/' || c == '@' || c == '\\' || c == '?' || c == '#') {
                return false;
            }
        }
        return true;
    }

    private static boolean absolute(String target) {
        return target.regionMatches(true, 0, "http://", 0, 7) || target.regionMatches(true, 0, "https://", 0, 8);
    }

    /** Removes scheme and host from a target. RFC 9112 requires servers to accept this form for proxies. */
    public static String origin(String target) {
        if (!absolute(target)) {
            return target;
        }
        int path = target.indexOf('/', target.indexOf("://") + 3);
        return path < 0 ? "/" : target.substring(path);
    }

    private static void understood(HttpRequest head) throws Refusal {
        String coding = head.headers().get("content-encoding");
        if (coding != null && (repeats(head, "content-encoding") || !coding.equalsIgnoreCase("identity"))) {
            throw new Refusal(
                    HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Encoding '" + coding + "' is not supported; send the body unencoded",
                    Map.of("accept-encoding", "identity"));
        }
        String transfer = head.headers().get("transfer-encoding");
        if (transfer != null && (repeats(head, "transfer-encoding") || !transfer.equalsIgnoreCase("chunked"))) {
            throw new Refusal(
                    HttpResponseStatus.NOT_IMPLEMENTED,
                    "Transfer-Encoding must be chunked or absent, found '" + transfer + "'");
        }
        String expect = head.headers().get("expect");
        if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
            throw new Refusal(
                    HttpResponseStatus.EXPECTATION_FAILED,
                    "Expect must be 100-continue or absent, found '" + expect + "'");
        }
    }

    /** Returns true if a browser reports a request from a page of another site. A click on a link is allowed. */
    private static boolean foreign(HttpRequest head, String host) {
        String site = head.headers().get("sec-fetch-site");
        if (site != null && !site.equals(SAME) && !site.equals("none") && !follows(head)) {
            return true;
        }
        String origin = head.headers().get("origin");
        return origin != null && !sameHost(origin, host);
    }

    private static boolean follows(HttpRequest head) {
        return head.method().equals(HttpMethod.GET)
                && "navigate".equals(head.headers().get("sec-fetch-mode"))
                && "document".equals(head.headers().get("sec-fetch-dest"));
    }

    public static boolean sameHost(String origin, String host) {
        String authority = authority(origin);
        return !authority.isEmpty() && authority.equals(host);
    }

    private static String authority(String uri) {
        try {
            String authority = new URI(uri).getRawAuthority();
            return authority == null ? "" : authority;
        } catch (URISyntaxException e) {
            return "";
        }
    }

    // Browsers ask their user for a name and a password. The password is the token; Weir ignores the name.
    private static String credentials(@Nullable String authorization) {
        String header = authorization == null ? "" : authorization;
        String scheme = header.toLowerCase(Locale.ROOT);
        if (scheme.startsWith(BEARER)) {
            return header.substring(BEARER.length()).strip();
        }
        if (!scheme.startsWith(BASIC)) {
            return "";
        }
        try {
            byte[] pair =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String text = new String(pair, StandardCharsets.UTF_8);
            return text.substring(text.indexOf(':') + 1);
        } catch (IllegalArgumentException noBase64) {
            return "";
        }
    }

    /** Compares in constant time, so that the time does not reveal the token. */
    private boolean same(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private boolean named(String host) {
        if (names.isEmpty()) {
            return true;
        }
        for (String name : names) {
            if (host.regionMatches(true, 0, name, 0, name.length()) && port(host, name.length())) {
                return true;
            }
        }
        return false;
    }

    private static boolean port(String host, int from) {
        for (int i = from + 1; i < host.length(); i++) {
            if (host.charAt(i) < '0' || host.charAt(i) > '9') {
                return false;
            }
        }
        return host.length() == from || host.charAt(from) == ':';
    }

    @Override
    public String toString() {
        return token.isEmpty() ? "without a token" : "with a token";
    }
}
