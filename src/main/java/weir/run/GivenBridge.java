package weir.run;

import java.util.List;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.worker.Bridge;

/**
 * Servers that already run, or none at all.
 *
 * @param receiver HOST:PORT to which they deliver events; empty where they deliver none
 */
record GivenBridge(List<String> urls, String receiver) implements Bridge {
    @Override
    public void act(ProcessAction action, DisturbanceSpec.Server server) {
        throw new IllegalStateException("these servers are not ours");
    }

    @Override
    public void close() {
        // The servers are not ours to close.
    }
}
