package weir.http;

import org.jspecify.annotations.Nullable;

/** The first line and the headers of a request, as a library read them. */
public interface ServerRequest {
    String method();

    /** The target as the first line has it. */
    String target();

    /** True before HTTP/1.1: such a request may name no host. */
    boolean old();

    /** The first value; null without any. Names are in lower case. */
    @Nullable String header(String name);

    /** True when there is more than one value. */
    boolean repeats(String name);
}
