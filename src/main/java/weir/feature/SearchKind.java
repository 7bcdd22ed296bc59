package weir.feature;

import java.util.List;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchAnswer;
import weir.results.value.SearchResults.SearchResult;
import weir.run.Preflight;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;

/** A search below {@code search:} that chooses its own trials, with its checks and answers. */
public interface SearchKind extends Feature.Part {
    /** Returns the key below {@code search:}. The trials of the search and its metric have the same name. */
    String name();

    /** Returns the name of the search's answers in the files of a run. */
    String answers();

    /** Returns the name of the search's answers in the headline. */
    default String label() {
        return name();
    }

    /** True if the short form limits no length of the search once the user sets one length of the search. */
    default boolean keepsLengths() {
        return false;
    }

    Class<? extends SearchSpec> asked();

    Class<? extends SearchResult> found();

    /** Checks that the search can find an answer for each variant. */
    void check(Tree.Section top, List<LayeredExperiment.LayeredVariant> searched, Findings findings);

    default String named(Trial trial) {
        return trial.variant().name();
    }

    /** Adds the time, the records and the disk space of the search's trials to {@code sum}. */
    void estimate(SearchSpec asked, Variant variant, Estimate.Sum sum);

    /** Reports why clients here cannot start the search; {@code to} is the highest rate in operations per second. */
    default void preflight(SearchSpec asked, Variant variant, double to, Preflight flight) {}

    /**
     * Begins a search, or resumes the search of an interrupted run.
     *
     * @param to highest rate that the search may try, in operations per second
     */
    AdaptiveSearch open(SearchSpec asked, Variant variant, double to, AdaptiveSearches run);

    /** Returns clauses about the search, for the sentence on the scope of the conclusion. */
    List<String> scope(SearchResults found);

    /** Returns sentences about the search for the conclusion, each as a list of its clauses. */
    List<List<String>> sentences(SearchResults found);

    List<SearchAnswer> figures(SearchResults found);
}
