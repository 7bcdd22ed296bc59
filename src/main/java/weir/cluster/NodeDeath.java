package weir.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import weir.host.Child;

/** The unexpected end of a broker or of a dedicated controller. */
public record NodeDeath(
        String node, int broker, String release, int exitCode, Duration after, Path log, List<String> lastLines) {
    public NodeDeath {
        lastLines = List.copyOf(lastLines);
    }

    /** True if the node's host was lost, so that Weir did not observe the end of the node. */
    public boolean unseen() {
        return exitCode < 0;
    }

    public String message() {
        return node.replace('-', ' ') + " (Kafka " + release + ") " + Child.ending(exitCode) + " after "
                + after.toSeconds() + " s; its last lines:\n" + String.join("\n", lastLines);
    }
}
