package weir.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;

/** A broker that says what its test tells it to, to one connection at a time. */
final class FakeBroker implements AutoCloseable {
    private final ServerSocket server;
    private final Thread thread;
    final LinkedBlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

    /** A request as it came. */
    record Asked(ApiKeys api, short version, int correlation, ByteBuffer body) {}

    /** The answer to a request: it writes what it likes, byte by byte. */
    interface Conduct {
        void on(Asked asked, OutputStream out) throws IOException;
    }

    FakeBroker(Conduct conduct) throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), conduct);
    }

    FakeBroker(ServerSocket server, Conduct conduct) {
        this.server = server;
        this.thread = new Thread(() -> serve(conduct), "fake-broker");
        thread.setDaemon(true);
        thread.start();
    }

    Endpoint at() {
        return new Endpoint("localhost", server.getLocalPort());
    }

    private void serve(Conduct conduct) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                while (true) {
                    byte[] request = new byte[in.readInt()];
                    in.readFully(request);
                    Asked next = read(ByteBuffer.wrap(request));
                    asked.add(next);
                    conduct.on(next, socket.getOutputStream());
                }
            } catch (EOFException gone) {
                // The next one, then.
            } catch (IOException over) {
                asked.clear();
            }
        }
    }

    private static Asked read(ByteBuffer request) {
        ApiKeys api = ApiKeys.forId(request.getShort());
        short version = request.getShort();
        int correlation = request.getInt();
        request.position(request.position() + 2 + request.getShort(request.position()));
        if (api.requestHeaderVersion(version) >= 2) {
            request.get();
        }
        return new Asked(api, version, correlation, request.slice());
    }

    /** Answers to what a connection is opened with; whatever else is asked, another says. */
    static Conduct open(Conduct then) {
        return (asked, out) -> {
            if (asked.api == ApiKeys.API_VERSIONS) {
                out.write(answer(asked.correlation, false, versions(), asked.version));
            } else {
                then.on(asked, out);
            }
        };
    }

    static ApiVersionsResponseData versions() {
        ApiVersionsResponseData versions = new ApiVersionsResponseData();
        for (Api api : Api.values()) {
            versions.apiKeys()
                    .add(new ApiVersionsResponseData.ApiVersion()
                            .setApiKey(api.key())
                            .setMinVersion(api.lowest())
                            .setMaxVersion(api.highest()));
        }
        return versions;
    }

    /** A whole answer, with its length. */
    static byte[] answer(int correlation, boolean tags, ApiMessage message, short version) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ByteBuffer.allocate(4).putInt(correlation).array());
        if (tags) {
            bytes.write(0);
        }
        ByteBuffer body = MessageUtil.toByteBufferAccessor(message, version).buffer();
        bytes.write(body.array(), body.arrayOffset() + body.position(), body.remaining());
        return framed(bytes.toByteArray());
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
            thread.join(5_000);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
