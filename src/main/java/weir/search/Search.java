package weir.search;

import java.util.List;
import java.util.Optional;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.trial.Trial;
import weir.results.value.SearchResults.SearchResult;

/** A question that chooses its next trial from the results of earlier ones. */
public interface Search {
    /** The next trial, unchanged until its result is told, or the reason why there is none. */
    Next next();

    /** Takes the result of a trial; returns the answer so far, if this search has a kind of answer of its own. */
    Optional<SearchResult> add(JudgedTrial trial);

    sealed interface Next {
        /**
         * A trial.
         *
         * @param limits against which its steps are checked
         * @param rate operations per second, if a search tries or heats; infinite for full speed
         * @param why the reason for trying the rate, as people read it
         */
        record Run(Trial trial, List<Expectation> limits, double rate, String why) implements Next {
            public Run(Trial trial, double rate, String why) {
                this(trial, List.of(), rate, why);
            }
        }

        record Done() implements Next {}

        /** The end of a search that lacks something its other trials need. */
        record Stuck(String why) implements Next {}
    }
}
