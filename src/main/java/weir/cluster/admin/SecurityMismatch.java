package weir.cluster.admin;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The reason why a client gets no answer from a listener that another {@code security.protocol} would get one from. Kafka's
 * clients only time out then. Found with bare bytes: a request that every broker answers before anybody has said who he is,
 * one that it answers only after, and the first message of TLS.
 */
public final class SecurityMismatch {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final short API_VERSIONS = 18;
    private static final short LIST_GROUPS = 16;
    private static final int MOST_BYTES = 1 << 20;
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;

    private final String host;
    private final int port;

    /** How a listener speaks. */
    private enum Speech {
        PLAIN,
        PLAIN_WITH_SASL,
        TLS,
        UNKNOWN
    }

    private SecurityMismatch(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /** A sentence for the first listener that explains it, empty if none does. */
    public static String of(String bootstrap, SortedMap<String, String> client) {
        String asked =
                client.getOrDefault("security.protocol", "PLAINTEXT").strip().toUpperCase(Locale.ROOT);
        for (String address : bootstrap.split(",", -1)) {
            String stripped = address.strip();
            int colon = stripped.lastIndexOf(':');
            String port = stripped.substring(colon + 1);
            if (colon > 0 && port.matches("[0-9]{1,5}")) {
                String host = stripped.substring(0, colon).replaceAll("^\\[|]$", "");
                String told = told(stripped, asked, new SecurityMismatch(host, Integer.parseInt(port)).speech());
                if (!told.isEmpty()) {
                    return told;
                }
            }
        }
        return "";
    }

    private static String told(String address, String asked, Speech speech) {
        boolean tls = asked.endsWith("SSL");
        boolean sasl = asked.startsWith("SASL_");
        if (speech == Speech.TLS && !tls) {
            return "the listener at " + address + " speaks TLS, and security.protocol is " + asked + "; set"
                    + " security.protocol=" + (sasl ? "SASL_SSL" : "SSL (or SASL_SSL)")
                    + ", and ssl.truststore.location if its certificate is not publicly signed";
        }
        if (speech == Speech.PLAIN && tls) {
            return "the listener at " + address + " speaks no TLS, and security.protocol is " + asked
                    + "; set security.protocol=PLAINTEXT";
        }
        if (speech == Speech.PLAIN_WITH_SASL && !asked.equals("SASL_PLAINTEXT")) {
            return "the listener at " + address + " " + (tls ? "speaks no TLS and " : "")
                    + "wants to know who asks (SASL), and security.protocol is " + asked
                    + "; set security.protocol=SASL_PLAINTEXT, sasl.mechanism and sasl.jaas.config";
        }
        return "";
    }

    private Speech speech() {
        try (Socket socket = connected()) {
            socket.getOutputStream().write(request(API_VERSIONS));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int size = in.readInt();
            if (size >>> 24 == TLS_ALERT) {
                return Speech.TLS;
            }
            // The number that the request had comes back.
            if (size < Integer.BYTES || size > MOST_BYTES || in.readInt() != API_VERSIONS) {
                return Speech.UNKNOWN;
            }
            in.skipNBytes(size - Integer.BYTES);
            socket.getOutputStream().write(request(LIST_GROUPS));
            return answered(in) ? Speech.PLAIN : Speech.PLAIN_WITH_SASL;
        } catch (SocketTimeoutException silent) {
            return Speech.UNKNOWN;
        } catch (IOException closed) {
            return greetsTls() ? Speech.TLS : Speech.UNKNOWN;
        }
    }

    private static boolean answered(DataInputStream in) throws IOException {
        try {
            return in.readInt() > 0;
        } catch (EOFException | java.net.SocketException closed) {
            return false;
        }
    }

    private boolean greetsTls() {
        try (Socket socket = connected()) {
            socket.getOutputStream().write(hello());
            InputStream in = socket.getInputStream();
            int kind = in.read();
            return (kind == TLS_HANDSHAKE || kind == TLS_ALERT) && in.read() == 3;
        } catch (IOException closed) {
            return false;
        }
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A request of version 0 without a body, whose number is that of its kind. */
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

    private static byte[] hello() throws IOException {
        try {
            SSLEngine engine = SSLContext.getDefault().createSSLEngine();
            engine.setUseClientMode(true);
            ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.allocate(0), hello);
            byte[] bytes = new byte[hello.flip().remaining()];
            hello.get(bytes);
            return bytes;
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IOException("this Java has no TLS", e);
        }
    }
}
