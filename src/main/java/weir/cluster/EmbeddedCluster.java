package weir.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import weir.host.Children;
import weir.plan.ClusterSpec;

/** A Kafka started here: each broker a child JVM, numbered from 1. */
@SuppressWarnings("DoNotCallSuggester")
public final class EmbeddedCluster implements Cluster {
    private EmbeddedCluster() {}

    /** A broker property or JVM flag that we set, and why. */
    public record Setting(String broker, String name, String value, String reason) {}

    /** A broker that ended although nobody asked it to. */
    public record Death(int broker, int exitCode, Duration after, List<String> lastLines) {}

    /** Returns when records can be written and read. */
    public static EmbeddedCluster start(ClusterSpec.Embedded spec, Children children, Path logs, Progress progress) {
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

    /** All that Weir set beside Kafka's own defaults. */
    public List<Setting> settings() {
        throw new UnsupportedOperationException();
    }

    /** How long it took until records could be written and read. */
    public Duration readyAfter() {
        throw new UnsupportedOperationException();
    }

    /** Hears of brokers that end unasked, from any thread. Those that already did are told at once. */
    public void onDeath(Consumer<Death> listener) {
        throw new UnsupportedOperationException();
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill(int broker) {
        throw new UnsupportedOperationException();
    }

    /** A controlled shutdown; returns when the process is gone. */
    public void stop(int broker) {
        throw new UnsupportedOperationException();
    }

    /** SIGSTOP. */
    public void pause(int broker) {
        throw new UnsupportedOperationException();
    }

    /** SIGCONT. */
    public void resume(int broker) {
        throw new UnsupportedOperationException();
    }

    /** Starts a broker that was killed or stopped; returns when it is unfenced. */
    public void restart(int broker) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
