package weir.cluster;

import java.util.List;
import java.util.SortedMap;

/** A Kafka that was there before us. */
@SuppressWarnings("DoNotCallSuggester")
public final class ExternalCluster implements Cluster {
    private ExternalCluster() {}

    /** The properties with their secrets resolved. */
    public static ExternalCluster connect(String bootstrap, SortedMap<String, String> properties) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String bootstrap() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SortedMap<String, String> clientProperties() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String id() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String version() {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Broker> brokers() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
