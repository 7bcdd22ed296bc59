package weir.worker;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;

/** HTTP servers before or behind the brokers, until they are closed. */
public interface Bridge extends AutoCloseable {
    /** The servers that a sender goes to, each in turn. */
    List<String> urls();

    List<BridgeProcess> processes();

    /** The processes that look at themselves, and tell it, by name: channel, filter. */
    default List<String> told() {
        return List.of();
    }

    /** HOST:PORT at which those behind expect the receiver of events; empty where nobody does. */
    default String receiver() {
        return "";
    }

    default SortedMap<String, Long> jvms() {
        return Collections.emptySortedMap();
    }

    /** URLs of the processes that tell how many events they hold. */
    default List<String> holders() {
        return List.of();
    }

    void act(ProcessAction action, DisturbanceSpec.Server server);

    /** From now on the times of those events only are told that are due in this span of the steady clock. */
    default void tells(long fromNanos, long toNanos) {}

    /** Tells of every process that ends although nothing asked it to, also of those that have ended already. */
    default void onDeath(Consumer<BridgeDeath> listener) {}

    @Override
    void close();
}
