package weir.cluster.admin;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.jspecify.annotations.Nullable;
import weir.cluster.ClusterUnavailable;
import weir.io.Io;

/**
 * A probe that finds why an address does not answer a client. Kafka's clients only time out if the {@code
 * security.protocol} is wrong. The probe sends three requests with and without TLS: one that needs no authentication,
 * one that needs authentication, and HTTP.
 */
final class ListenerProbe {
    private static final int TIMEOUT_MILLIS = 1_500;
    private static final short API_VERSIONS = 18;
    private static final short LIST_GROUPS = 16;
    private static final int MOST_BYTES = 1 << 20;
    private static final int SHOWN_BYTES = 40;
    private static final byte TLS_ALERT = 21;
    private static final String HTTP = "HTTP/";

    private final SortedMap<String, String> client;
    private final String asked;

    /** A reason, as text to print after an address; {@code lasting} if waiting cannot help. */
    record Reason(String text, boolean lasting) {
        static final Reason NONE = new Reason("", false);

        static Reason lasting(String text) {
            return new Reason(text, true);
        }

        static Reason passing(String text) {
            return new Reason(text, false);
        }

        Reason with(String other) {
            return new Reason(other, lasting);
        }
    }

    private enum ListenerProtocol {
        KAFKA,
        KAFKA_WITH_SASL,
        OTHER,
        CLOSES,
        SILENT
    }

    private record Listener(ListenerProtocol protocol, boolean tls, String answer, List<String> names) {
        boolean kafka() {
            return protocol == ListenerProtocol.KAFKA || protocol == ListenerProtocol.KAFKA_WITH_SASL;
        }
    }

    ListenerProbe(SortedMap<String, String> client) {
        this.client = client;
        this.asked =
                client.getOrDefault("security.protocol", "PLAINTEXT").strip().toUpperCase(Locale.ROOT);
    }

    /** @param refused the exception of the client's own attempt; null if the client was not refused */
    Reason reason(String host, int port, @Nullable AuthenticationException refused) {
        Listener listener;
        try {
            listener = listener(host, port);
        } catch (ConnectException closed) {
            return Reason.passing("refuses connections: no process listens there");
        } catch (IOException away) {
            return Reason.passing("accepts no connection within " + TIMEOUT_MILLIS + " ms: the host is down, or a"
                    + " firewall blocks it");
        }
        if (listener.protocol == ListenerProtocol.OTHER) {
            return Reason.lasting("is not a Kafka broker: it answers "
                    + (listener.answer.startsWith(HTTP) ? "in HTTP, " : "") + "'" + listener.answer + "'");
        }
        Reason mismatch = mismatch(listener);
        if (!mismatch.text.isEmpty()) {
            return mismatch;
        }
        if (refused != null) {
            return Reason.lasting(refusal(refused, listener));
        }
        if (listener.protocol == ListenerProtocol.SILENT) {
            return Reason.passing("accepts connections and does not answer within " + TIMEOUT_MILLIS + " ms");
        }
        return Reason.passing(
                listener.protocol == ListenerProtocol.CLOSES
                        ? "accepts connections and closes them without an answer"
                        : "is a Kafka broker that does not answer this client in time");
    }

    private Reason mismatch(Listener listener) {
        boolean tls = tls();
        boolean sasl = asked.startsWith("SASL_");
        boolean wants = listener.protocol == ListenerProtocol.KAFKA_WITH_SASL;
        List<String> facts = new ArrayList<>();
        if (listener.tls != tls && (tls ? listener.kafka() : listener.tls)) {
            facts.add(listener.tls ? "speaks TLS" : "does not use TLS");
        }
        if (listener.kafka() && wants != sasl) {
            facts.add(wants ? "requires SASL" : "does not use SASL");
        }
        if (facts.isEmpty()) {
            return Reason.NONE;
        }
        // A listener that does not answer unknown clients may or may not require SASL.
        String right = (listener.kafka() ? wants : sasl) ? "SASL_" : "";
        return Reason.lasting(String.join(" and ", facts) + ", and security.protocol is " + asked
                + "; set security.protocol=" + right + (listener.tls ? "SSL" : "PLAINTEXT")
                + (wants && !sasl ? ", sasl.mechanism and sasl.jaas.config" : "")
                + (listener.tls && !tls
                        ? ", and ssl.truststore.location if its certificate is not publicly signed"
                        : ""));
    }

    private String refusal(AuthenticationException refused, Listener listener) {
        String cause = ClusterUnavailable.deepest(refused);
        if (!(refused instanceof SslAuthenticationException)) {
            String mechanism = client.getOrDefault("sasl.mechanism", "GSSAPI");
            return refused instanceof UnsupportedSaslMechanismException
                    ? "does not support sasl.mechanism=" + mechanism + ": " + cause
                    : "rejects this client with sasl.mechanism=" + mechanism + ": " + refused.getMessage()
                            + (cause.equals(refused.getMessage()) ? "" : ": " + cause) + "; check sasl.jaas.config";
        }
        if (cause.startsWith("No subject alternative") || cause.startsWith("No name matching")) {
            return "has a certificate for " + (listener.names.isEmpty() ? "no name" : String.join(", ", listener.names))
                    + " but not for the requested name: " + cause + "; use a name of the certificate, or set"
                    + " ssl.endpoint.identification.algorithm to the empty string";
        }
        if (cause.contains("fatal alert")) {
            return "aborts the TLS handshake: " + cause
                    + "; check ssl.keystore.location, the certificate of this client, and ssl.enabled.protocols";
        }
        boolean certificate = false;
        for (Throwable each = refused; each != null; each = each.getCause()) {
            certificate |= each instanceof GeneralSecurityException;
        }
        if (!certificate) {
            return "shares no TLS version or cipher with this client: " + cause
                    + "; check ssl.enabled.protocols and ssl.cipher.suites";
        }
        String trusted = client.getOrDefault("ssl.truststore.location", "");
        return "has a certificate that is not trusted: " + cause + "; check ssl.truststore.location, which is "
                + (trusted.isEmpty() ? "not set" : "'" + trusted + "'");
    }

    /**
     * True if the first answer is not Kafka's. A Kafka client must not contact such a server: the client would read an
     * HTTP answer as a length, and allocate a gigabyte.
     */
    boolean foreign(String host, int port) {
        try {
            Listener listener = probe(() -> tls() ? encrypted(host, port) : connected(host, port), tls(), false);
            return listener.protocol == ListenerProtocol.OTHER || listener.tls != tls();
        } catch (IOException none) {
            return false;
        }
    }

    private boolean tls() {
        return asked.endsWith("SSL");
    }

    private static Listener listener(String host, int port) throws IOException {
        Listener plain = probe(() -> connected(host, port), false, true);
        if (plain.kafka() || plain.protocol == ListenerProtocol.OTHER) {
            return plain;
        }
        try {
            return probe(() -> encrypted(host, port), true, true);
        } catch (SSLException alert) {
            boolean tls = plain.tls || String.valueOf(alert.getMessage()).contains("fatal alert");
            return tls ? new Listener(ListenerProtocol.CLOSES, true, "", List.of()) : plain;
        } catch (IOException noTls) {
            return plain;
        }
    }

    /**
     * Tests HTTP on a second connection, because an HTTP server waits for the end of a line.
     *
     * @param asksWho true to test for SASL; the broker may log the test as a failed login
     */
    private static Listener probe(Io.Reading<Socket> dialer, boolean tls, boolean asksWho) throws IOException {
        Listener first;
        try (Socket socket = dialer.read()) {
            first = kafka(socket, tls, asksWho);
        }
        if (first.protocol != ListenerProtocol.SILENT) {
            return first;
        }
        try (Socket socket = dialer.read()) {
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = line(new byte[0], socket.getInputStream());
            return answer.startsWith(HTTP) ? new Listener(ListenerProtocol.OTHER, tls, answer, List.of()) : first;
        } catch (IOException silent) {
            return first;
        }
    }

    private static Listener kafka(Socket socket, boolean tls, boolean asksWho) throws IOException {
        List<String> names = socket instanceof SSLSocket encrypted ? names(encrypted) : List.of();
        try {
            socket.getOutputStream().write(request(API_VERSIONS));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] head = in.readNBytes(Integer.BYTES);
            boolean alert = head.length > 0 && head[0] == TLS_ALERT;
            if (head.length == 0 || alert) {
                return new Listener(ListenerProtocol.CLOSES, tls || alert, "", names);
            }
            int size = head.length < Integer.BYTES ? 0 : ByteBuffer.wrap(head).getInt();
            // The reply repeats the correlation id of the request.
            if (size < Integer.BYTES || size > MOST_BYTES || in.readInt() != API_VERSIONS) {
                return new Listener(ListenerProtocol.OTHER, tls, line(head, in), names);
            }
            in.skipNBytes(size - Integer.BYTES);
            if (!asksWho) {
                return new Listener(ListenerProtocol.KAFKA, tls, "", names);
            }
            socket.getOutputStream().write(request(LIST_GROUPS));
            return new Listener(
                    answered(in) ? ListenerProtocol.KAFKA : ListenerProtocol.KAFKA_WITH_SASL, tls, "", names);
        } catch (SocketTimeoutException silent) {
            return new Listener(ListenerProtocol.SILENT, tls, "", names);
        } catch (IOException closed) {
            return new Listener(ListenerProtocol.CLOSES, tls, "", names);
        }
    }

    private static String line(byte[] head, InputStream rest) {
        StringBuilder line = new StringBuilder(new String(head, StandardCharsets.ISO_8859_1));
        try {
            for (int next = 0; next >= 0 && next != '\n' && line.length() < SHOWN_BYTES; ) {
                next = rest.read();
                if (next >= 0) {
                    line.append((char) next);
                }
            }
        } catch (IOException over) {
            // The bytes so far are enough.
        }
        return line.toString().lines().findFirst().orElse("").replaceAll("[^ -~]", ".");
    }

    private static boolean answered(DataInputStream in) throws IOException {
        try {
            return in.readInt() > 0;
        } catch (EOFException | SocketException closed) {
            return false;
        }
    }

    private static Socket connected(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Trusts any certificate, because the probe sends no secret. */
    private static Socket encrypted(String host, int port) throws IOException {
        Socket plain = connected(host, port);
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAllManager()}, null);
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
            socket.startHandshake();
            return socket;
        } catch (GeneralSecurityException e) {
            plain.close();
            throw new IOException("this Java has no TLS", e);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    private static List<String> names(SSLSocket socket) {
        List<String> names = new ArrayList<>();
        try {
            if (socket.getSession().getPeerCertificates()[0] instanceof X509Certificate certificate) {
                Collection<List<?>> others = certificate.getSubjectAlternativeNames();
                if (others == null) {
                    names.add(certificate.getSubjectX500Principal().getName());
                } else {
                    others.forEach(name -> names.add(String.valueOf(name.get(1))));
                }
            }
        } catch (SSLPeerUnverifiedException | CertificateParsingException none) {
            // A certificate without readable names counts as one without names.
        }
        return names;
    }

    private static final class TrustAllManager extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static byte[] request(short kind) {
        byte[] name = "weir".getBytes(StandardCharsets.US_ASCII);
        int size = 3 * Short.BYTES + Integer.BYTES + name.length;
        return ByteBuffer.allocate(Integer.BYTES + size)
                .putInt(size)
                .putShort(kind)
                .putShort((short) 0)
                .putInt(kind)
                .putShort((short) name.length)
                .put(name)
                .array();
    }
}
