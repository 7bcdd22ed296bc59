package weir.worker;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.probe.WatchedProcess;

/** HTTP servers before or behind the brokers, until they are closed. */
public interface Bridge extends AutoCloseable {
    List<String> urls();

    default List<WatchedProcess> processes() {
        return List.of();
    }

    /** The names of the processes that report their own figures, such as channel or filter. */
    default List<String> reportingProcesses() {
        return List.of();
    }

    /** HOST:PORT at which processes expect the event receiver; empty if none does. */
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

    /** Limits reported times to events that are due in this span of the steady clock. */
    default void limitTimes(long fromNanos, long toNanos) {}

    /** Reports each event since the last call, by name and text; called once a second, and at the end of the load. */
    default void markEvents(BiConsumer<String, String> marks) {}

    /** Reports every process that ends unasked, also those that ended earlier. */
    default void onDeath(Consumer<BridgeDeath> listener) {}

    @Override
    void close();
}
