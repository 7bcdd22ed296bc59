package weir.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import weir.http.HttpServer.ServerContext;

/**
 * The head of a request that passed the access rules.
 *
 * @param query the values of each parameter of the query, by name
 * @param looks true for a read-only request: GET, HEAD or OPTIONS
 * @param length the announced length of the body; -1 without a length
 */
public record HttpHead(
        HttpRequest request,
        String path,
        Map<String, List<String>> query,
        Resource resource,
        boolean looks,
        long length) {
    /** The path for health checks of balancers. It needs no token and accepts any host name. */
    public static final String HEALTH = "/healthz";

    /** The targets of OPTIONS for the whole server. HAProxy sends such requests by default. */
    private static final Set<String> WHOLE = Set.of("*", "/");

    private static final Resource SERVER = new Resource("GET, HEAD, OPTIONS, POST", Set.of(), true);

    static HttpHead of(HttpRequest request, ServerContext server) throws Refusal {
        if (request.decoderResult().isFailure()) {
            throw unreadable(request.decoderResult().cause());
        }
        int most = server.limits().headers();
        if (request.headers().size() > most) {
            throw new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "more than " + most + " headers");
        }
        String path = Access.origin(request.uri());
        Map<String, List<String>> query = Map.of();
        if (path.indexOf('?') >= 0 || path.indexOf('%') >= 0 || path.indexOf('#') >= 0) {
            try {
                QueryStringDecoder target = new QueryStringDecoder(path);
                path = target.path();
                query = target.parameters();
            } catch (IllegalArgumentException e) {
                throw Refusal.bad("the path or the query of the request cannot be read");
            }
        }
        HttpMethod method = request.method();
        boolean options = method.equals(HttpMethod.OPTIONS);
        boolean whole = options && WHOLE.contains(path);
        server.settings().access().check(request, whole || path.equals(HEALTH));
        Resource resource =
                whole ? whole(path, server.service()) : server.service().resource(path);
        resource.checkMethod(method.name());
        resource.checkQuery(query);
        boolean looks = options || method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
        return new HttpHead(request, path, query, resource, looks, looks ? 0 : HttpUtil.getContentLength(request, -1L));
    }

    /** Returns the resource of the path, or of the whole server if the path is "*" or unknown. */
    private static Resource whole(String path, RequestService service) {
        try {
            return path.equals("*") ? SERVER : service.resource(path);
        } catch (Refusal unknown) {
            return SERVER;
        }
    }

    static HttpHead refused(HttpRequest request) {
        return new HttpHead(request, "", Map.of(), SERVER, false, 0);
    }

    private static Refusal unreadable(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new Refusal(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the first line is too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new Refusal(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long");
        }
        return Refusal.bad("this is not an HTTP request");
    }

    public @Nullable String query(String name) {
        List<String> values = query.get(name);
        return values == null ? null : values.get(0);
    }
}
