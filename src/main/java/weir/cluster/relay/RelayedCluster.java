package weir.cluster.relay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.Impairment;
import weir.cluster.NodeDeath;
import weir.cluster.NodeSetting;
import weir.cluster.Progress;
import weir.cluster.start.ClusterOpener;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.ProcessAction;
import weir.plan.ClusterSpec;
import weir.plan.DisturbanceSpec;

/**
 * A Kafka started here whose brokers are reached through relays: by the clients of a load, by each other, and by them the
 * controllers. Whoever asks about the cluster itself goes straight to it, so that a worse network hides nothing.
 */
public final class RelayedCluster implements Cluster {
    private final EmbeddedCluster cluster;
    private final Relays relays;

    private RelayedCluster(EmbeddedCluster cluster, Relays relays) {
        this.cluster = cluster;
        this.relays = relays;
    }

    /** One that is started here; another is none of ours to stand before. */
    public static Cluster open(ClusterSpec spec, boolean disks, Children children, Path logs, Progress progress) {
        return spec instanceof ClusterSpec.Embedded here
                ? start(here, disks, children, logs, progress)
                : ClusterOpener.open(spec, disks, children, logs, progress);
    }

    /** Returns when records can be written and read. */
    public static RelayedCluster start(
            ClusterSpec.Embedded spec, boolean disks, Children children, Path logs, Progress progress) {
        List<Relays> laid = new ArrayList<>();
        Consumer<EmbeddedCluster> lay = cluster -> {
            laid.forEach(Relays::close);
            laid.add(Relays.before(cluster));
        };
        try {
            EmbeddedCluster cluster = EmbeddedCluster.startRelayed(spec, children, logs, lay, disks, progress);
            return new RelayedCluster(cluster, laid.get(laid.size() - 1));
        } catch (RuntimeException e) {
            laid.forEach(Relays::close);
            throw e;
        }
    }

    @Override
    public String bootstrap() {
        return cluster.bootstrap();
    }

    @Override
    public SortedMap<String, String> clientProperties() {
        return cluster.clientProperties();
    }

    @Override
    public SortedMap<String, String> loadProperties() {
        return cluster.relayedProperties();
    }

    @Override
    public String id() {
        return cluster.id();
    }

    @Override
    public String version() {
        return cluster.version();
    }

    @Override
    public SortedMap<String, Long> others() {
        return cluster.others();
    }

    @Override
    public List<Broker> brokers() {
        return cluster.brokers();
    }

    @Override
    public boolean ours() {
        return cluster.ours();
    }

    @Override
    public boolean unlimitedWriteback() {
        return cluster.unlimitedWriteback();
    }

    @Override
    public boolean gone() {
        return cluster.gone();
    }

    @Override
    public void onDeath(Consumer<NodeDeath> listener) {
        cluster.onDeath(listener);
    }

    @Override
    public SortedMap<String, String> facts() {
        SortedMap<String, String> facts = new TreeMap<>(cluster.facts());
        facts.put("cluster.relayed", "Weir's own relays stand before all brokers, in every variant alike");
        return facts;
    }

    @Override
    public List<NodeSetting> settings() {
        return cluster.settings();
    }

    @Override
    public SortedMap<String, String> asked(int broker) {
        return cluster.asked(broker);
    }

    @Override
    public Set<ProcessAction> actions() {
        return cluster.actions();
    }

    @Override
    public void act(ProcessAction action, int broker) {
        cluster.act(action, broker);
    }

    @Override
    public Impairment impair(DisturbanceSpec.Network asked) {
        return relays.impair(asked);
    }

    @Override
    public Impairment impair(DisturbanceSpec.Disk asked) {
        return cluster.impair(asked);
    }

    @Override
    public void close() {
        cluster.close();
        relays.close();
    }
}
