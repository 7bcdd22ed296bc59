package weir.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import weir.io.Io;

/**
 * A broker on loopback that answers as the test decides, each connection on its own thread. All tests with a broker
 * that lies, falls silent or closes connections use this class.
 */
public final class FakeBroker implements AutoCloseable {
    private final ServerSocket server;
    private final Talk talk;
    private final Set<Socket> sockets = new HashSet<>();

    public record Asked(ApiKeys api, short version, int correlation, ByteBuffer body) {
        public static Asked read(ByteBuffer request) {
            ApiKeys api = ApiKeys.forId(request.getShort());
            short version = request.getShort();
            int correlation = request.getInt();
            request.position(request.position() + 2 + request.getShort(request.position()));
            if (api.requestHeaderVersion(version) >= 2) {
                request.get();
            }
            return new Asked(api, version, correlation, request.slice());
        }

        /** Returns a whole answer to the request, with its length. */
        public byte[] answer(ApiMessage message) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.writeBytes(ByteBuffer.allocate(4).putInt(correlation).array());
            if (api.responseHeaderVersion(version) > 0) {
                bytes.write(0);
            }
            ByteBuffer body = MessageUtil.toByteBufferAccessor(message, version).buffer();
            bytes.write(body.array(), body.arrayOffset() + body.position(), body.remaining());
            return framed(bytes.toByteArray());
        }
    }

    /** The answer to a request, byte by byte. Closing {@code out} closes the connection. */
    public interface Conduct {
        void on(Asked asked, OutputStream out) throws IOException;
    }

    /** The bytes of one connection, which closes when this returns. */
    public interface Talk {
        void with(DataInputStream in, DataOutputStream out) throws IOException;
    }

    private FakeBroker(ServerSocket server, Talk talk) {
        this.server = server;
        this.talk = talk;
        start(this::accept);
    }

    FakeBroker(ServerSocket server, Conduct conduct) {
        this(server, requests(conduct));
    }

    public FakeBroker(Conduct conduct) {
        this(free(), conduct);
    }

    /** A server that need not speak Kafka's protocol. */
    public static FakeBroker raw(Talk talk) {
        return new FakeBroker(free(), talk);
    }

    private static ServerSocket free() {
        return Io.attempt("listening", () -> new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    private static Talk requests(Conduct conduct) {
        return (in, out) -> {
            while (true) {
                byte[] request = new byte[in.readInt()];
                in.readFully(request);
                conduct.on(Asked.read(ByteBuffer.wrap(request)), out);
            }
        };
    }

    public Endpoint at() {
        return new Endpoint("localhost", server.getLocalPort());
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "fake-broker");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                synchronized (this) {
                    sockets.add(socket);
                }
                start(() -> serve(socket));
            } catch (IOException closed) {
                hangUp();
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            talk.with(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
        } catch (IOException ended) {
            // The client has closed the connection.
        }
        synchronized (this) {
            sockets.remove(socket);
            notifyAll();
        }
    }

    /** Waits until all clients have closed their connections. */
    public synchronized void awaitNoConnection() throws InterruptedException {
        while (!sockets.isEmpty()) {
            wait();
        }
    }

    /** Closes all connections, and accepts new ones. */
    public synchronized void hangUp() {
        try {
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers the requests that open a connection. {@code then} answers all other requests. */
    static Conduct open(Conduct then) {
        return (asked, out) -> {
            if (asked.api == ApiKeys.API_VERSIONS) {
                out.write(asked.answer(versions()));
            } else {
                then.on(asked, out);
            }
        };
    }

    /** Returns every request that Weir knows, in every version that Weir knows. */
    public static ApiVersionsResponseData versions() {
        ApiVersionsResponseData versions = new ApiVersionsResponseData();
        for (Api api : Api.values()) {
            versions.apiKeys()
                    .add(new ApiVersionsResponseData.ApiVersion()
                            .setApiKey(api.key)
                            .setMinVersion(api.lowest)
                            .setMaxVersion(api.highest));
        }
        return versions;
    }

    /** Returns {@link #versions()}, but this request only up to a version. */
    public static ApiVersionsResponseData versions(Api api, short highest) {
        ApiVersionsResponseData versions = versions();
        versions.apiKeys().find(api.key).setMaxVersion(highest);
        return versions;
    }

    static byte[] framed(byte[] bytes) {
        return ByteBuffer.allocate(4 + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        hangUp();
    }
}
