package weir.results;

/**
 * The outcome of a gate. A gate is blind, and then never open, if it could not have detected a change of the tolerated
 * size.
 */
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
