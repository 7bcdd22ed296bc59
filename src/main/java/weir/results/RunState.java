package weir.results;

import java.util.List;
import java.util.Locale;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

/** The trust in a run as one word. Reports, lists, comparisons and gates use the same words. */
public enum RunState {
    VALID,
    /** The run has a caveat that the experiment does not accept. */
    SUSPECT,
    INVALID,
    /** At least one requested trial did not run to its end. */
    UNFINISHED;

    public static RunState of(List<Caveat> caveats, boolean whole) {
        if (has(caveats, CaveatType.Level.INVALID)) {
            return INVALID;
        }
        return !whole ? UNFINISHED : has(caveats, CaveatType.Level.DOUBT) ? SUSPECT : VALID;
    }

    private static boolean has(List<Caveat> caveats, CaveatType.Level level) {
        return caveats.stream().anyMatch(caveat -> caveat.level() == level);
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
