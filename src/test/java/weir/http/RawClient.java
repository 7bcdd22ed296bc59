package weir.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client that sends what it is told, byte by byte, and reads only when it is told. */
final class RawClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Socket socket = new Socket();

    /** @param buffer bytes that the kernel may receive for it; 0 for the usual */
    RawClient(InetSocketAddress server, int buffer) {
        try {
            if (buffer > 0) {
                socket.setReceiveBufferSize(buffer);
            }
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(server, (int) PATIENCE.toMillis());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient(InetSocketAddress server) {
        this(server, 0);
    }

    RawClient send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything up to this text. */
    String readTo(String end) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            InputStream in = socket.getInputStream();
            String text = "";
            while (!text.endsWith(end)) {
                int next = in.read();
                if (next < 0) {
                    throw new AssertionError("the connection ended behind '" + text + "'");
                }
                read.write(next);
                text = read.toString(StandardCharsets.UTF_8);
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(read.toString(StandardCharsets.UTF_8), e);
        }
    }

    /** Everything until the server ends the connection. */
    String readAll() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
