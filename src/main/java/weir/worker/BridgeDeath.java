package weir.worker;

import java.util.List;
import weir.host.Child;

/** A gateway or a balancer that ended although nothing asked it to, with the last lines of its log. */
public record BridgeDeath(String server, int exitCode, List<String> lastLines) {
    private static final int LINES = 3;

    /** True when its end was not seen: its host is lost. */
    public boolean unseen() {
        return exitCode < 0;
    }

    public BridgeDeath {
        lastLines = List.copyOf(lastLines);
    }

    static BridgeDeath of(Child child, int exitCode) {
        return new BridgeDeath(child.name(), exitCode, child.lastLines(LINES));
    }
}
