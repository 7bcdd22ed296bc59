package weir.worker;

import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import weir.host.ProcessAction;

/** HTTP servers before the brokers, until they are closed. */
public interface Bridge extends AutoCloseable {
    /** The servers that a sender goes to, each in turn. */
    List<String> urls();

    /** The processes by name: gateway-1, haproxy. */
    SortedMap<String, Long> pids();

    /** Does it to the gateway of this number, from 1. */
    void act(ProcessAction action, int gateway);

    /** Tells of every process that ends although nothing asked it to, also of those that have ended already. */
    default void onDeath(Consumer<BridgeDeath> listener) {}

    @Override
    void close();
}
