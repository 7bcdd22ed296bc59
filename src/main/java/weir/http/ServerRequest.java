package weir.http;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The first line and the headers of a request, as a library parsed them. */
public interface ServerRequest {
    String method();

    String target();

    /** Returns true before HTTP/1.1, where a request may name no host. */
    boolean old();

    /** Returns the first value, or null; names are in lower case. */
    @Nullable String header(String name);

    boolean repeats(String name);

    /** A request head parsed by Netty, also of HTTP/2. */
    public record NettyHead(HttpRequest request) implements ServerRequest {
        @Override
        public String method() {
            return request.method().name();
        }

        @Override
        public String target() {
            return request.uri();
        }

        @Override
        public boolean old() {
            return request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
        }

        @Override
        public @Nullable String header(String name) {
            return request.headers().get(name);
        }

        @Override
        public boolean repeats(String name) {
            Iterator<?> values = request.headers().valueCharSequenceIterator(name);
            if (values.hasNext()) {
                values.next();
            }
            return values.hasNext();
        }
    }
}
