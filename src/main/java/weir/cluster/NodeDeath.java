package weir.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import weir.host.Child;

/** A broker, or a controller of its own, that ended although nobody asked it to. */
public record NodeDeath(String node, int broker, int exitCode, Duration after, Path log, List<String> lastLines) {
    public NodeDeath {
        lastLines = List.copyOf(lastLines);
    }

    /** True when its end was not seen: its host is lost. */
    public boolean unseen() {
        return exitCode < 0;
    }

    /** For the user, its last lines included. */
    public String message(String version) {
        return node.replace('-', ' ') + " (Kafka " + version + ") " + Child.ending(exitCode) + " after "
                + after.toSeconds() + " s; its last lines:\n" + String.join("\n", lastLines);
    }
}
