package weir.worker;

import java.util.List;
import weir.host.Child;

/** The unexpected end of a gateway or a balancer, with the last lines of its log. */
public record BridgeDeath(String server, int exitCode, List<String> lastLines) {
    private static final int LINES = 3;

    /** True if the server's host was lost, so that Weir did not observe the end of the server. */
    public boolean unseen() {
        return exitCode < 0;
    }

    public BridgeDeath {
        lastLines = List.copyOf(lastLines);
    }

    public static BridgeDeath of(Child child, int exitCode) {
        return new BridgeDeath(child.name(), exitCode, child.lastLines(LINES));
    }
}
