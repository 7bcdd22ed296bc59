package weir.cluster.admin;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.wire.BrokerAccess;
import weir.wire.Call;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.Metadata;

/**
 * A broker by the metadata of the others. Kafka's own client asks whom it likes, also the broker in question, which may be
 * paused and never answer.
 */
final class MetadataView implements OutsideView {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final int broker;
    private final List<String> topics;
    private final List<Endpoint> others;
    private final BrokerAccess access;
    private int next;
    private @Nullable Call call;

    /** @param topics by their names on the cluster */
    MetadataView(Cluster cluster, int broker, Collection<String> topics) {
        this.broker = broker;
        this.topics = List.copyOf(topics);
        this.others = cluster.brokers().stream()
                .filter(other -> other.id() != broker)
                .map(Broker::address)
                .flatMap(address -> Endpoint.list(address).stream())
                .toList();
        this.access = BrokerAccess.of(cluster.clientProperties());
    }

    @Override
    public synchronized Standing standing() {
        IOException last = new IOException("it is the only one");
        for (int tries = 0; tries < others.size(); tries++) {
            try {
                Call current = call;
                if (current == null) {
                    Endpoint other = others.get(next++ % others.size());
                    current = Call.open(other, access, Connection.Options.named("weir"), LIMIT);
                    call = current;
                }
                return standing(current.metadata(topics, LIMIT));
            } catch (IOException e) {
                hangUp();
                last = e;
            }
        }
        throw new ClusterUnavailable("asking others about broker " + broker + ": " + last.getMessage(), last);
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

    private void hangUp() {
        Call open = call;
        call = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public synchronized void close() {
        hangUp();
    }
}
