package weir.bridge;

import java.io.IOException;

/** The program of a sink, to which {@code bench/run} sends with other programs, too. Its argument is the port. */
public final class HttpSinkMain {
    private HttpSinkMain() {}

    @SuppressWarnings("resource")
    public static void main(String[] arguments) throws IOException {
        HttpSink.start(Integer.parseInt(arguments[0]));
    }
}
