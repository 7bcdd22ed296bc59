package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** A listener on loopback that does the same with every connection, each in a thread of its own. */
public final class FakeListener implements AutoCloseable {
    private static final short METADATA = 9;

    private final ServerSocket server;

    /** The conduct towards one who connects. */
    public interface Conduct {
        void answer(DataInputStream in, DataOutputStream out) throws IOException;
    }

    public FakeListener(Conduct conduct) throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            while (true) {
                Socket socket = server.accept();
                start(() -> {
                    try (socket) {
                        conduct.answer(
                                new DataInputStream(socket.getInputStream()),
                                new DataOutputStream(socket.getOutputStream()));
                    }
                });
            }
        });
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException over) {
                assertThat(over).isNotNull();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** One that answers as a broker without security does, whose cluster has these brokers: {@code id@host:port}. */
    public static FakeListener broker(String cluster, Supplier<String[]> brokers) throws IOException {
        return broker(cluster, brokers, () -> {});
    }

    /** The same, without any coordinator; {@code lookups} is called each time that one is asked for. */
    public static FakeListener broker(String cluster, Supplier<String[]> brokers, Runnable lookups) throws IOException {
        return new FakeListener((in, out) -> {
            while (true) {
                byte[] frame = in.readNBytes(in.readInt());
                ByteBuffer request = ByteBuffer.wrap(frame);
                ApiKeys api = ApiKeys.forId(request.getShort());
                short version = request.getShort();
                int correlation = request.getInt();
                if (api == ApiKeys.API_VERSIONS) {
                    Errors error = version == 0 ? Errors.NONE : Errors.UNSUPPORTED_VERSION;
                    out.write(whole(api, (short) 0, correlation, versions(error)));
                } else if (api == ApiKeys.METADATA) {
                    out.write(whole(api, version, correlation, metadata(cluster, brokers.get())));
                } else if (api == ApiKeys.FIND_COORDINATOR) {
                    lookups.run();
                    out.write(whole(api, version, correlation, uncoordinated()));
                } else {
                    // Whatever it is, it is answered.
                    out.write(
                            ByteBuffer.allocate(8).putInt(4).putInt(correlation).array());
                }
            }
        });
    }

    private static ApiVersionsResponseData versions(Errors error) {
        ApiVersionsResponseData data = new ApiVersionsResponseData().setErrorCode(error.code());
        data.apiKeys().add(new ApiVersionsResponseData.ApiVersion().setApiKey(ApiKeys.API_VERSIONS.id));
        data.apiKeys()
                .add(new ApiVersionsResponseData.ApiVersion()
                        .setApiKey(ApiKeys.METADATA.id)
                        .setMaxVersion(METADATA));
        data.apiKeys().add(new ApiVersionsResponseData.ApiVersion().setApiKey(ApiKeys.FIND_COORDINATOR.id));
        return data;
    }

    private static FindCoordinatorResponseData uncoordinated() {
        return new FindCoordinatorResponseData().setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code());
    }

    private static MetadataResponseData metadata(String cluster, String[] brokers) {
        MetadataResponseData data = new MetadataResponseData().setClusterId(cluster);
        for (String broker : brokers) {
            String[] parts = broker.split("[@:]", -1);
            data.brokers()
                    .add(new MetadataResponseBroker()
                            .setNodeId(Integer.parseInt(parts[0]))
                            .setHost(parts[1])
                            .setPort(Integer.parseInt(parts[2])));
        }
        return data;
    }

    private static byte[] whole(ApiKeys api, short version, int correlation, ApiMessage body) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(correlation);
        short headerVersion = api.responseHeaderVersion(version);
        int size = header.size(cache, headerVersion) + body.size(cache, version);
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + size).putInt(size);
        ByteBufferAccessor writable = new ByteBufferAccessor(buffer);
        header.write(writable, cache, headerVersion);
        body.write(writable, cache, version);
        return buffer.array();
    }

    public int port() {
        return server.getLocalPort();
    }

    public String at() {
        return "127.0.0.1:" + port();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
