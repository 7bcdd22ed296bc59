package weir.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;

/** A Kafka that can be connected to until it is closed. It answers for itself: nobody asks which kind it is. */
public interface Cluster extends AutoCloseable {
    String bootstrap();

    /** All that a client needs to connect, {@code bootstrap.servers} and secrets included. Never to be written down. */
    SortedMap<String, String> clientProperties();

    /** The same for the clients of a load, which may have to take another way. */
    default SortedMap<String, String> loadProperties() {
        return clientProperties();
    }

    String id();

    /** The release where we started it; otherwise what its feature levels tell. */
    String version();

    List<Broker> brokers();

    /** Its processes here that are no brokers, by name: controllers of their own, or a ZooKeeper. */
    default SortedMap<String, Long> others() {
        return Collections.emptySortedMap();
    }

    default SortedMap<Integer, String> addresses() {
        SortedMap<Integer, String> addresses = new TreeMap<>();
        brokers().forEach(broker -> addresses.put(broker.id(), broker.address()));
        return addresses;
    }

    /** Ours ends with us, and all that is in it; otherwise others may depend on it and what we make must be deleted. */
    boolean ours();

    /** The name on the cluster of a topic of the plan: where others are, the prefix keeps it from colliding. */
    default String topicName(String prefix, String name) {
        return ours() ? name : prefix + "-" + name;
    }

    /** The data folders of the brokers that run as processes here, now. */
    default List<Path> data() {
        return brokers().stream().filter(Broker::here).map(Broker::data).toList();
    }

    /** The type of file system that the brokers write to; empty when no broker runs here. */
    default String fileSystem() {
        List<Path> folders = data();
        try {
            // Above, where a broker has a disk image of its own, is the file system that the image is on.
            return folders.isEmpty()
                    ? ""
                    : Files.getFileStore(folders.get(0).resolveSibling("")).type();
        } catch (IOException e) {
            throw new UncheckedIOException("asking for the file system of " + folders.get(0), e);
        }
    }

    /** True when brokers have a limit of the disk that the kernel does not keep when it writes for them later. */
    default boolean unlimitedWriteback() {
        return false;
    }

    /** Ours, and no broker of it is left. */
    default boolean gone() {
        return false;
    }

    /** Hears of brokers that end unasked, from any thread. Those that already did are told at once. */
    default void onDeath(Consumer<NodeDeath> listener) {}

    default SortedMap<String, String> facts() {
        return Collections.emptySortedMap();
    }

    /** All that Weir set beside Kafka's own defaults; secrets are left out. */
    default List<NodeSetting> settings() {
        return List.of();
    }

    default SortedMap<String, String> asked(int broker) {
        return Collections.emptySortedMap();
    }

    default Set<ProcessAction> actions() {
        return Set.of();
    }

    default void act(ProcessAction action, int broker) {
        throw new UnsupportedOperationException(action + " of a broker at " + bootstrap());
    }

    default Impairment impair(DisturbanceSpec.Network asked) {
        throw new UnsupportedOperationException("another network for broker " + asked.broker() + " at " + bootstrap());
    }

    /** Makes the disk of a broker worse. A broker that ended because of it is started again when the disk is well. */
    default Impairment impair(DisturbanceSpec.Disk asked) {
        throw new UnsupportedOperationException("another disk for broker " + asked.broker() + " at " + bootstrap());
    }

    @Override
    void close();
}
