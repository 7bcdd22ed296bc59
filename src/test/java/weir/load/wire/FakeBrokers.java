package weir.load.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import weir.wire.Api;
import weir.wire.Endpoint;
import weir.wire.FakeBroker;

/** Brokers with one topic, who lead its partitions as their test says; what else they answer is said by their kind. */
abstract class FakeBrokers implements AutoCloseable {
    static final String TOPIC = "t";

    private final List<FakeBroker> brokers = new ArrayList<>();
    private int[] leaders;
    private int[] epochs;
    private boolean deleted;
    private Uuid topicId;
    private volatile int silent = -1;

    /** They speak {@code api} in no higher version than {@code highest}. */
    FakeBrokers(int brokerCount, int partitions, Uuid topicId, Api api, short highest) throws IOException {
        this.leaders = new int[partitions];
        this.epochs = new int[partitions];
        this.topicId = topicId;
        for (int i = 0; i < partitions; i++) {
            know(i, i % brokerCount, 1);
        }
        for (int i = 0; i < brokerCount; i++) {
            int id = i;
            brokers.add(new FakeBroker((asked, out) -> answer(id, asked, out, api, highest)));
        }
    }

    private void answer(int broker, FakeBroker.Asked asked, OutputStream out, Api api, short highest)
            throws IOException {
        if (broker == silent) {
            return;
        }
        ByteBufferAccessor body = new ByteBufferAccessor(asked.body());
        ApiMessage message = switch (asked.api()) {
            case API_VERSIONS -> FakeBroker.versions(api, highest);
            case METADATA -> metadata();
            default -> answer(broker, asked, body, out);
        };
        if (message != null) {
            out.write(asked.answer(message));
        }
    }

    /** Nothing is said when this is null. */
    abstract @Nullable ApiMessage answer(int broker, FakeBroker.Asked asked, ByteBufferAccessor body, OutputStream out)
            throws IOException;

    List<Endpoint> bootstrap() {
        return brokers.stream().map(FakeBroker::at).toList();
    }

    synchronized void know(int partition, int leader, int epoch) {
        leaders[partition] = leader;
        epochs[partition] = epoch;
    }

    synchronized void lead(int partition, int broker) {
        know(partition, broker, epochs[partition] + 1);
    }

    final synchronized int leader(int partition) {
        return leaders[partition];
    }

    /** One more partition, which the first broker leads. */
    synchronized void addPartition() {
        int partition = leaders.length;
        leaders = Arrays.copyOf(leaders, partition + 1);
        epochs = Arrays.copyOf(epochs, partition + 1);
        know(partition, 0, 1);
    }

    synchronized void deleteTopic() {
        deleted = true;
    }

    /** The topic was deleted, and is there again under the same name. */
    synchronized void makeTopicAgain() {
        topicId = new Uuid(7, 8);
    }

    final synchronized Uuid topicId() {
        return topicId;
    }

    private synchronized MetadataResponseData metadata() {
        MetadataResponseData metadata = new MetadataResponseData();
        for (int i = 0; i < brokers.size(); i++) {
            Endpoint at = brokers.get(i).at();
            metadata.brokers()
                    .add(new MetadataResponseData.MetadataResponseBroker()
                            .setNodeId(i)
                            .setHost(at.host())
                            .setPort(at.port()));
        }
        MetadataResponseData.MetadataResponseTopic topic =
                new MetadataResponseData.MetadataResponseTopic().setName(TOPIC).setTopicId(topicId);
        for (int i = 0; i < leaders.length; i++) {
            topic.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition()
                            .setPartitionIndex(i)
                            .setLeaderId(leaders[i])
                            .setLeaderEpoch(epochs[i]));
        }
        if (deleted) {
            topic = new MetadataResponseData.MetadataResponseTopic()
                    .setName(TOPIC)
                    .setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        metadata.topics().add(topic);
        return metadata;
    }

    /** It takes connections and requests, and says nothing more. */
    void silence(int broker) {
        silent = broker;
    }

    void hangUp() {
        brokers.forEach(FakeBroker::hangUp);
    }

    /** Waits until everybody has hung up. */
    void awaitNoConnection() throws InterruptedException {
        for (FakeBroker broker : brokers) {
            broker.awaitNoConnection();
        }
    }

    @Override
    public void close() {
        brokers.forEach(FakeBroker::close);
    }
}
