package weir.run;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import weir.host.ProcessAction;
import weir.worker.Bridge;

/** Servers that are there already, or none at all. */
record GivenBridge(List<String> urls) implements Bridge {
    @Override
    public SortedMap<String, Long> pids() {
        return Collections.emptySortedMap();
    }

    @Override
    public void act(ProcessAction action, int gateway) {
        throw new IllegalStateException("these servers are not ours");
    }

    @Override
    public void close() {
        // Nothing of it is ours.
    }
}
