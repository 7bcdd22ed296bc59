package weir.cluster.admin;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import weir.wire.FakeBroker;

/** A listener on loopback that treats every connection in the same way, each on its own thread. */
public record FakeListener(FakeBroker server) implements AutoCloseable {
    private static final short METADATA = 9;

    public FakeListener(FakeBroker.Talk talk) {
        this(FakeBroker.raw(talk));
    }

    /** Answers like a broker without security in a cluster of these brokers: {@code id@host:port}. */
    public static FakeListener broker(String cluster, Supplier<String[]> brokers) {
        return broker(cluster, brokers, () -> {});
    }

    /** Answers like a broker, but without any coordinator; {@code lookups} runs for each lookup. */
    public static FakeListener broker(String cluster, Supplier<String[]> brokers, Runnable lookups) {
        return new FakeListener(new FakeBroker((asked, out) -> {
            switch (asked.api()) {
                case API_VERSIONS -> out.write(asked.answer(versions()));
                case METADATA -> out.write(asked.answer(metadata(cluster, brokers.get())));
                case FIND_COORDINATOR -> {
                    lookups.run();
                    out.write(asked.answer(
                            new FindCoordinatorResponseData().setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())));
                }
                // Every other request gets an answer, too.
                default ->
                    out.write(ByteBuffer.allocate(8)
                            .putInt(4)
                            .putInt(asked.correlation())
                            .array());
            }
        }));
    }

    private static ApiVersionsResponseData versions() {
        ApiVersionsResponseData data = new ApiVersionsResponseData();
        data.apiKeys().add(new ApiVersionsResponseData.ApiVersion().setApiKey(ApiKeys.API_VERSIONS.id));
        data.apiKeys()
                .add(new ApiVersionsResponseData.ApiVersion()
                        .setApiKey(ApiKeys.METADATA.id)
                        .setMaxVersion(METADATA));
        data.apiKeys().add(new ApiVersionsResponseData.ApiVersion().setApiKey(ApiKeys.FIND_COORDINATOR.id));
        return data;
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

    public int port() {
        return server.at().port();
    }

    public String at() {
        return "127.0.0.1:" + port();
    }

    @Override
    public void close() {
        server.close();
    }
}
