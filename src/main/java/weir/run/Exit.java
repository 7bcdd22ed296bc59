package weir.run;

import java.util.Collection;
import java.util.List;

/** What the process says at its end. Of several, the one that comes first here wins. */
public enum Exit {
    OUR_FAULT(1),
    USAGE(2),
    PREFLIGHT(3),
    BROKEN_PROMISE(5),
    INVALID(4),
    EXPECTATION_FAILED(99),
    REGRESSION(98),
    INTERRUPTED(130),
    FINE(0);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The worst of them; {@link #FINE} when there are none. */
    public static Exit worst(Collection<Exit> exits) {
        return exits.stream().min(Enum::compareTo).orElse(FINE);
    }

    public static Exit worst(Exit... exits) {
        return worst(List.of(exits));
    }
}
