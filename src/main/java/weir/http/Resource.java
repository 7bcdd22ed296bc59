package weir.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A path of a server.
 *
 * @param allow the allowed methods in the format of the header {@code Allow}, such as "GET, HEAD, OPTIONS"
 * @param query the allowed names in the query; each name may occur once
 * @param anyQuery true for a path that accepts every query
 */
public record Resource(String allow, Set<String> query, boolean anyQuery) {
    public static final Resource LOOK_WITH_ANY_QUERY = new Resource("GET, HEAD, OPTIONS", Set.of(), true);

    public static final Resource LOOK = new Resource("GET, HEAD, OPTIONS", Set.of(), false);

    public static final Resource EVENTS = of("POST");

    private static final Set<String> KNOWN =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    public Resource {
        query = Set.copyOf(query);
    }

    public static Resource of(String method) {
        return new Resource(method.equals("GET") ? LOOK.allow : method + ", OPTIONS", Set.of(), true);
    }

    /** Refuses an unsupported method. For a known HTTP method, the answer lists the supported methods. */
    public void checkMethod(String method) throws Refusal {
        if (!KNOWN.contains(method)) {
            throw new Refusal(HttpResponseStatus.NOT_IMPLEMENTED, "the method '" + method + "' is not an HTTP method");
        }
        if (!allow.contains(method)) {
            throw new Refusal(
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "this path takes " + allow, Map.of("allow", allow));
        }
    }

    /** Refuses unknown names and repeated names in the query. */
    public void checkQuery(Map<String, List<String>> asked) throws Refusal {
        if (anyQuery) {
            return;
        }
        for (Map.Entry<String, List<String>> one : asked.entrySet()) {
            if (!query.contains(one.getKey())) {
                throw Refusal.bad("the query has '" + one.getKey() + "', but this path takes "
                        + (query.isEmpty() ? "no query" : "only " + String.join(", ", new TreeSet<>(query))));
            }
            if (one.getValue().size() > 1) {
                throw Refusal.bad("the query has '" + one.getKey() + "' more than once");
            }
        }
    }
}
