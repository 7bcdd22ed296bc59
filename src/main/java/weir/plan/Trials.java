package weir.plan;

import java.util.List;

/** The order in which the trials of an experiment run. */
@SuppressWarnings("DoNotCallSuggester")
public final class Trials {
    private Trials() {}

    public static List<Trial> of(Experiment experiment) {
        throw new UnsupportedOperationException("ordering " + experiment.name());
    }
}
