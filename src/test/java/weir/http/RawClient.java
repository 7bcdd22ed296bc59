package weir.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends raw bytes, and reads only on request. A read fails after ten seconds without a byte. */
public record RawClient(Socket socket) implements AutoCloseable {
    public RawClient(InetSocketAddress server) throws IOException {
        this(server, 0);
    }

    /** @param buffer receive buffer in the kernel in bytes; 0 for the usual size */
    public RawClient(InetSocketAddress server, int buffer) throws IOException {
        this(new Socket());
        if (buffer > 0) {
            socket.setReceiveBufferSize(buffer);
        }
        socket.setSoTimeout(10_000);
        socket.connect(server);
    }

    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends byte by byte. */
    public RawClient drip(String text) throws IOException {
        socket.setTcpNoDelay(true);
        for (byte each : text.getBytes(StandardCharsets.ISO_8859_1)) {
            socket.getOutputStream().write(each);
        }
        return this;
    }

    /** Reads up to this text; fails if the other end closes the connection before. */
    public String readTo(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end, Math.max(0, text.length() - end.length())) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("the connection ended behind '" + text + "'");
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** Reads until the other end closes the connection. */
    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Reads up to the end of answer {@code count}. Bodies end with a line. */
    public String answers(int count) throws IOException {
        byte[] some = new byte[8 << 10];
        StringBuilder text = new StringBuilder();
        while (text.toString().split("}\n", -1).length <= count) {
            int read = socket.getInputStream().read(some);
            if (read < 0) {
                throw new EOFException("the connection ended behind '" + text + "'");
            }
            text.append(new String(some, 0, read, StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /** Returns the status and the body of the next answer; empty if there is none. */
    public String answer() throws IOException {
        String head;
        try {
            head = readTo("\r\n\r\n");
        } catch (EOFException closed) {
            return "";
        }
        String status = head.substring("HTTP/1.1 ".length(), head.indexOf("\r\n"));
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("content-length: ");
        if (at < 0) {
            return status;
        }
        int length = Integer.parseInt(lower.substring(at + 16, lower.indexOf('\r', at)));
        return (status + " " + new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII))
                .strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
