package weir.live;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A request without its body, of which no path has a use.
 *
 * @param method GET, HEAD or POST
 * @param path without the query
 * @param query the first value of each name
 * @param headers the first value of each name, which is in lower case
 */
public record LiveRequest(
        String method, String path, SortedMap<String, String> query, SortedMap<String, String> headers) {
    /** The names by which a page asks for nothing but itself. */
    private static final String SAME = "same-origin";

    public LiveRequest {
        query = Collections.unmodifiableSortedMap(new TreeMap<>(query));
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
    }

    /** A request of this path with these headers. */
    static LiveRequest of(String method, String path, Map<String, String> headers) {
        SortedMap<String, String> lower = new TreeMap<>();
        headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        return new LiveRequest(method, path, new TreeMap<>(), lower);
    }

    /** The value of a header, empty when there is none. */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** True when a browser says that a page of somebody else asks, and not its user who follows a link. */
    boolean foreign() {
        String site = header("sec-fetch-site");
        boolean follows = method.equals("GET")
                && header("sec-fetch-mode").equals("navigate")
                && header("sec-fetch-dest").equals("document");
        boolean others = !site.isEmpty() && !site.equals(SAME) && !site.equals("none");
        return (others && !follows) || !ofThisHost();
    }

    private boolean ofThisHost() {
        return !headers.containsKey("origin") || authority(header("origin")).equals(header("host"));
    }

    /** True unless a browser says that a page of somebody else asks. */
    public boolean sameOrigin() {
        String site = header("sec-fetch-site");
        return (site.isEmpty() || site.equals(SAME)) && ofThisHost();
    }

    private static String authority(String origin) {
        try {
            String authority = new URI(origin).getRawAuthority();
            return authority == null ? "" : authority;
        } catch (URISyntaxException e) {
            return "";
        }
    }
}
