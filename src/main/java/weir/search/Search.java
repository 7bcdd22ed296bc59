package weir.search;

import java.util.List;
import java.util.Optional;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.trial.Trial;
import weir.results.value.SearchResults.SearchResult;

/** A series of trials in which each trial may depend on the results of earlier trials. */
public interface Search {
    /** The next trial, or the reason why there is none. The answer changes only when {@link #add} receives a result. */
    Next next();

    /** Adds the result of a trial. Returns the current answer if this kind of search has its own answer. */
    Optional<SearchResult> add(JudgedTrial trial);

    sealed interface Next {
        /**
         * A trial.
         *
         * @param limits the limits for its steps
         * @param rate operations per second, for trials and warm-ups of a search; infinite for full speed
         * @param why the reason for this rate, as text for the user
         */
        record Run(Trial trial, List<Expectation> limits, double rate, String why) implements Next {
            public Run(Trial trial, double rate, String why) {
                this(trial, List.of(), rate, why);
            }
        }

        record Done() implements Next {}

        /** The end of a search that cannot continue, with the reason. */
        record Stuck(String why) implements Next {}
    }
}
