package weir.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.host.ProcessAction;
import weir.io.Io;
import weir.plan.DisturbanceSpec;

/** A Kafka cluster that accepts connections until this object is closed. */
public interface Cluster extends AutoCloseable {
    String bootstrap();

    /** All properties to connect a client, including secrets. Never write them to a file or log. */
    SortedMap<String, String> clientProperties();

    /** The connection properties for load clients, which may connect through relays. */
    default SortedMap<String, String> loadProperties() {
        return clientProperties();
    }

    String id();

    /** The release of Kafka. For a cluster that Weir did not start, an estimate from its feature levels. */
    String version();

    List<Broker> brokers();

    /** The process ids of local processes other than brokers, by name: dedicated controllers or a ZooKeeper. */
    default SortedMap<String, Long> others() {
        return Collections.emptySortedMap();
    }

    default SortedMap<Integer, String> addresses() {
        SortedMap<Integer, String> addresses = new TreeMap<>();
        brokers().forEach(broker -> addresses.put(broker.id(), broker.address()));
        return addresses;
    }

    /** True if the cluster ends with Weir. If false, Weir must delete the resources that it creates. */
    boolean startedByWeir();

    /** The name of a plan's topic on the cluster. External clusters add the prefix to prevent collisions. */
    default String topicName(String prefix, String name) {
        return startedByWeir() ? name : prefix + "-" + name;
    }

    default List<Path> data() {
        return brokers().stream().filter(Broker::here).map(Broker::data).toList();
    }

    /** The type of file system that the brokers write to; empty when no broker runs on this machine. */
    default String fileSystem() {
        List<Path> folders = data();
        if (folders.isEmpty()) {
            return "";
        }
        // If a broker has a disk image, the parent folder is on the real file system that holds the image.
        Path parent = folders.get(0).resolveSibling("");
        return Io.attempt(
                "reading the file system of " + folders.get(0),
                () -> Files.getFileStore(parent).type());
    }

    /** True if the kernel ignores the brokers' disk limit when it writes cached pages to the disk. */
    default boolean unlimitedWriteback() {
        return false;
    }

    default boolean gone() {
        return false;
    }

    /** Calls the listener, on any thread, for each broker that ends unexpectedly, and at once for earlier ends. */
    default void onDeath(Consumer<NodeDeath> listener) {}

    default SortedMap<String, String> facts() {
        return Collections.emptySortedMap();
    }

    /** All settings that Weir changed from Kafka's defaults, without secrets. */
    default List<NodeSetting> settings() {
        return List.of();
    }

    default SortedMap<String, String> asked(int broker) {
        return Collections.emptySortedMap();
    }

    /** The dedicated controllers that Weir started, by node id. */
    default List<Integer> controllers() {
        return List.of();
    }

    /** Installs a release on a stopped node; its next start runs that release on the same data. */
    default void install(String release, int node) {
        throw new UnsupportedOperationException(release + " on node " + node + " at " + bootstrap());
    }

    default void act(ProcessAction action, int broker) {
        throw new UnsupportedOperationException(action + " of a broker at " + bootstrap());
    }

    default Impairment impair(DisturbanceSpec.Network asked) {
        throw new UnsupportedOperationException("another network for broker " + asked.broker() + " at " + bootstrap());
    }

    /** Degrades a broker's disk. A broker that ends because of the disk restarts when the disk is restored. */
    default Impairment impair(DisturbanceSpec.Disk asked) {
        throw new UnsupportedOperationException("another disk for broker " + asked.broker() + " at " + bootstrap());
    }

    @Override
    void close();
}
