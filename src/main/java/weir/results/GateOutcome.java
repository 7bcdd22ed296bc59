package weir.results;

/** The answer of a gate. A blind gate could not detect a change and is never open. */
public enum GateOutcome {
    OPEN(0),
    REGRESSION(98),
    BLIND(4);

    private final int exit;

    GateOutcome(int exit) {
        this.exit = exit;
    }

    public int exit() {
        return exit;
    }
}
