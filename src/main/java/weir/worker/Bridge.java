package weir.worker;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.probe.WatchedProcess;

/** A set of HTTP servers between the load and Kafka, which run until this object is closed. */
public interface Bridge extends AutoCloseable {
    List<String> urls();

    default List<WatchedProcess> processes() {
        return List.of();
    }

    /** HOST:PORT at which the servers expect the receiver of events; may be empty. */
    default String receiver() {
        return "";
    }

    default SortedMap<String, Long> jvms() {
        return Collections.emptySortedMap();
    }

    default List<String> holders() {
        return List.of();
    }

    void act(ProcessAction action, DisturbanceSpec.Server server);

    /** Limits the reported times to events that are due in this period of the steady clock. */
    default void limitTimes(long fromNanos, long toNanos) {}

    /** Reports each event since the last call, by name and text. Called once a second, and at the end of the load. */
    default void markEvents(BiConsumer<String, String> marks) {}

    /** Reports every process that ends unexpectedly, including processes that ended earlier. */
    default void onDeath(Consumer<BridgeDeath> listener) {}

    @Override
    void close();
}
