package weir.http;

import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** The first line and the headers of a request, as a library read them. */
public interface ServerRequest {
    String method();

    String target();

    /** True before HTTP/1.1: such a request may name no host. */
    boolean old();

    /** The first value; null without any. Names are in lower case. */
    @Nullable String header(String name);

    boolean repeats(String name);

    /** The head of a request as Netty has it, of HTTP/2, too. */
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
