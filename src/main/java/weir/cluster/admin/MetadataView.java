package weir.cluster.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.Metadata;

/**
 * A view of a broker through the metadata of the others. Kafka's own client may ask any broker, also the one in
 * question, which may be paused and never answer.
 */
final class MetadataView implements OutsideView {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final int broker;
    private final List<String> topics;
    private final @Nullable BootstrapBroker others;

    MetadataView(Cluster cluster, int broker, Collection<String> topics) {
        this.broker = broker;
        this.topics = List.copyOf(topics);
        List<Endpoint> addresses = cluster.brokers().stream()
                .filter(other -> other.id() != broker)
                .map(Broker::address)
                .flatMap(address -> Endpoint.list(address).stream())
                .toList();
        this.others = addresses.isEmpty()
                ? null
                : new BootstrapBroker(
                        addresses,
                        BrokerAccess.of(cluster.clientProperties()),
                        Connection.Options.named("weir"),
                        LIMIT);
    }

    @Override
    public Standing standing() {
        if (others == null) {
            throw new ClusterUnavailable("there is no other broker to ask about broker " + broker);
        }
        try {
            return standing(others.ask((call, limit) -> call.metadata(topics, limit)));
        } catch (IOException e) {
            throw new ClusterUnavailable("asking others about broker " + broker + ": " + e.getMessage(), e);
        }
    }

    private Standing standing(Metadata metadata) {
        int leads = 0;
        int lags = 0;
        for (Metadata.Topic topic : metadata.topics()) {
            for (Metadata.Partition partition : topic.partitions()) {
                leads += partition.leader() == broker ? 1 : 0;
                lags += partition.replicas().contains(broker)
                                && !partition.inSync().contains(broker)
                        ? 1
                        : 0;
            }
        }
        return new Standing(leads, lags);
    }

    @Override
    public void close() {
        if (others != null) {
            others.close();
        }
    }
}
