package weir.worker;

import java.util.List;
import java.util.SortedMap;
import weir.host.ProcessAction;

/** HTTP servers before the brokers, until they are closed. */
public interface Bridge extends AutoCloseable {
    /** The servers that a sender goes to, each in turn. */
    List<String> urls();

    /** The processes by name: gateway-1, haproxy. */
    SortedMap<String, Long> pids();

    /** Does it to the gateway of this number, from 1. */
    void act(ProcessAction action, int gateway);

    @Override
    void close();
}
