package weir.bridge;

import java.io.IOException;

/** The program of a sink, for {@code bench/run} to send to with other programs, too. Its argument is the port. */
public final class HttpSinkMain {
    private HttpSinkMain() {}

    @SuppressWarnings("resource")
    public static void main(String[] arguments) throws IOException {
        HttpSink.start(Integer.parseInt(arguments[0]));
    }
}
