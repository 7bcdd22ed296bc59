package weir.http;

import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A request without its body.
 *
 * @param method GET, HEAD or POST
 * @param path without the query
 * @param query the first value of each name
 * @param headers the first value of each name, in lower case
 */
public record LiveRequest(
        String method, String path, SortedMap<String, String> query, SortedMap<String, String> headers) {
    private static final String SAME = "same-origin";

    public LiveRequest {
        query = Collections.unmodifiableSortedMap(new TreeMap<>(query));
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
    }

    static LiveRequest of(HttpHead head) {
        SortedMap<String, String> query = new TreeMap<>();
        head.query().forEach((name, values) -> query.put(name, values.get(0)));
        SortedMap<String, String> headers = new TreeMap<>();
        head.request()
                .headers()
                .forEach(header -> headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
        return new LiveRequest(head.request().method().name(), head.path(), query, headers);
    }

    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** False if a browser reports that a page of another site sent the request. */
    public boolean sameOrigin() {
        String site = header("sec-fetch-site");
        boolean own = !headers.containsKey("origin") || Access.sameHost(header("origin"), header("host"));
        return (site.isEmpty() || site.equals(SAME)) && own;
    }
}
