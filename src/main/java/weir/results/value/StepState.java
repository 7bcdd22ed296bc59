package weir.results.value;

import java.util.Locale;

/** How a step of a pace went. */
public enum StepState {
    SUSTAINED,
    DEGRADED,
    BROKEN,
    /** Not sustained, and the generator itself was late enough to have decided that. */
    UNTESTED,
    /** Nobody can tell, as the trial was ended before its time. */
    UNFINISHED;

    /** As results and reports write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
