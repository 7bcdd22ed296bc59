package weir.load.http;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import weir.plan.HttpSpec;

/** A look at a server before anything is measured: one that is not there, or speaks another version, would only be waited for. */
record ServerCheck(HttpSpec.Version version, Optional<SslContext> tls) {
    private static final int PATIENCE_MILLIS = 5_000;
    /** The first words of a client, and settings without any (RFC 9113, 3.4). */
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private static final int TYPE = 3;
    private static final int SETTINGS = 4;
    private static final int FRAME_HEAD = 9;

    /** Throws when nothing can be sent there. */
    void reach(HttpTarget target) {
        try (Socket socket = new Socket()) {
            socket.connect(target.address(), PATIENCE_MILLIS);
            if (version == HttpSpec.Version.HTTP_2 && !speaksHttp2(socket, target)) {
                throw new IllegalStateException(target + " does not speak HTTP/2" + (target.tls() ? "" : " without TLS")
                        + "; write load.http.version: 1.1");
            }
        } catch (IOException e) {
            throw new IllegalStateException("connecting to " + target + ": " + e.getMessage(), e);
        }
    }

    private boolean speaksHttp2(Socket plain, HttpTarget target) throws IOException {
        plain.setSoTimeout(PATIENCE_MILLIS);
        Socket socket = plain;
        if (target.tls() && tls.orElse(null) instanceof JdkSslContext context) {
            SSLSocket secured = (SSLSocket) context.context()
                    .getSocketFactory()
                    .createSocket(plain, target.name(), target.address().getPort(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            socket = secured;
        }
        socket.getOutputStream().write(PREFACE);
        byte[] head = new byte[FRAME_HEAD];
        try {
            new DataInputStream(socket.getInputStream()).readFully(head);
        } catch (IOException silent) {
            // Closed, or nothing within the time: whatever it speaks, it is not this.
            return false;
        }
        return head[TYPE] == SETTINGS;
    }
}
