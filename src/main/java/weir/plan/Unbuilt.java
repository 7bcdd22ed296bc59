package weir.plan;

import java.util.List;

/** What an experiment asks for that is understood and checked, but not built yet. */
@SuppressWarnings("DoNotCallSuggester")
public final class Unbuilt {
    private Unbuilt() {}

    public static List<Problem> in(Experiment experiment) {
        throw new UnsupportedOperationException("judging " + experiment.name());
    }
}
