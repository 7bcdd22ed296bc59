package weir.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The nodes of a cluster that ended unasked, and who wants to hear of them. Safe for many threads. */
final class NodeExits {
    private final String version;
    private final List<EmbeddedCluster.Death> deaths = new ArrayList<>();
    private final List<Consumer<EmbeddedCluster.Death>> listeners = new ArrayList<>();

    NodeExits(String version) {
        this.version = version;
    }

    void add(EmbeddedCluster.Death death) {
        List<Consumer<EmbeddedCluster.Death>> told;
        synchronized (this) {
            deaths.add(death);
            told = List.copyOf(listeners);
        }
        told.forEach(listener -> listener.accept(death));
    }

    /** Those that already happened are told at once. */
    void tell(Consumer<EmbeddedCluster.Death> listener) {
        List<EmbeddedCluster.Death> before;
        synchronized (this) {
            before = List.copyOf(deaths);
            listeners.add(listener);
        }
        before.forEach(listener);
    }

    synchronized int count() {
        return deaths.size();
    }

    /** Throws when there are more than {@code before}. */
    synchronized void check(int before) {
        if (deaths.size() > before) {
            throw new ClusterUnavailable(deaths.get(before).message(version));
        }
    }
}
