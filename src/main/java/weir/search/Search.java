package weir.search;

import java.util.List;
import java.util.Optional;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.trial.Trial;
import weir.results.value.SearchResults.SearchResult;

/** A question, and the choice of its next trial from what those before showed. */
public interface Search {
    /** The next trial, the same until it is told; or that there is none. */
    Next next();

    /** Takes in what a trial showed; returns the answer as far as it is known now, where it is one of a kind of its own. */
    Optional<SearchResult> told(JudgedTrial trial);

    /** The next trial, or why there is none. */
    sealed interface Next {
        /**
         * A trial.
         *
         * @param limits that its steps are held against
         * @param rate operations per second, where a search tries or heats; infinite for all that can be carried
         * @param why what a rate is tried for, as people read it
         */
        record Run(Trial trial, List<Expectation> limits, double rate, String why) implements Next {
            public Run(Trial trial, double rate, String why) {
                this(trial, List.of(), rate, why);
            }
        }

        /** The end of a search that has all that it can have. */
        record Done() implements Next {}

        /** The end of one that lacks what its other trials need. */
        record Stuck(String why) implements Next {}
    }
}
