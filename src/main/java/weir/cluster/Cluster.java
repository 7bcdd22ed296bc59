package weir.cluster;

import java.util.List;
import java.util.SortedMap;

/** A Kafka that can be connected to until it is closed. */
public sealed interface Cluster extends AutoCloseable permits EmbeddedCluster, ExternalCluster, NullCluster {
    String bootstrap();

    /** All that a client needs to connect, {@code bootstrap.servers} and secrets included. Never to be written down. */
    SortedMap<String, String> clientProperties();

    /** The cluster's own id. */
    String id();

    /** The release where we started it; otherwise what its feature levels tell. */
    String version();

    List<Broker> brokers();

    @Override
    void close();
}
