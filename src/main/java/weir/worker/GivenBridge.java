package weir.worker;

import java.util.List;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;

/** A bridge without processes of Weir: servers that already run, or no server. */
public record GivenBridge(List<String> urls) implements Bridge {
    @Override
    public void act(ProcessAction action, DisturbanceSpec.Server server) {
        throw new IllegalStateException("Weir did not start these servers");
    }

    @Override
    public void close() {
        // Weir does not own these servers.
    }
}
