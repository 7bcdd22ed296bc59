package weir.cluster.start;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeDeath;

/** The nodes that ended unexpectedly, with a listener for such ends. Safe for many threads. */
final class NodeExits {
    private final List<NodeDeath> deaths = new ArrayList<>();
    private final List<Consumer<NodeDeath>> listeners = new ArrayList<>();

    void add(NodeDeath death) {
        List<Consumer<NodeDeath>> told;
        synchronized (this) {
            deaths.add(death);
            told = List.copyOf(listeners);
        }
        told.forEach(listener -> listener.accept(death));
    }

    void addListener(Consumer<NodeDeath> listener) {
        List<NodeDeath> before;
        synchronized (this) {
            before = List.copyOf(deaths);
            listeners.add(listener);
        }
        before.forEach(listener);
    }

    synchronized int count() {
        return deaths.size();
    }

    synchronized void check(int before) {
        if (deaths.size() > before) {
            throw new ClusterUnavailable(deaths.get(before).message());
        }
    }
}
