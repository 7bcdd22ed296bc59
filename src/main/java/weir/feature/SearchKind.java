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

/** A kind of search below {@code search:}, which chooses its own trials and has its own checks and answers. */
public interface SearchKind extends Feature.Part {
    /** Returns the key below {@code search:}, which is also the name of the search's trials and metric. */
    String name();

    String answers();

    default String label() {
        return name();
    }

    /** True if the user's own length keeps the short form from limiting the other lengths of the search. */
    default boolean keepsLengths() {
        return false;
    }

    Class<? extends SearchSpec> asked();

    Class<? extends SearchResult> found();

    /** Checks what {@code keys.yaml} cannot say, of the variants that have what it requires. */
    default void check(Tree.Section top, List<LayeredExperiment.LayeredVariant> searched, Findings findings) {}

    default String named(Trial trial) {
        return trial.variant().name();
    }

    /** Adds the time, the records and the disk space of the search's trials to {@code sum}. */
    void estimate(SearchSpec asked, Variant variant, Estimate.Sum sum);

    /**
     * Reports why the clients on this machine cannot start the search of a variant.
     *
     * @param to the highest rate of the search, in operations per second
     */
    default void preflight(SearchSpec asked, Variant variant, double to, Preflight flight) {}

    /**
     * Begins a search, or resumes it after an earlier execution of the run.
     *
     * @param to the highest rate of the search, in operations per second
     */
    AdaptiveSearch open(SearchSpec asked, Variant variant, double to, AdaptiveSearches run);

    /** Returns what the search did, for the scope of the answer. */
    default List<String> scope(SearchResults found) {
        int tried = found.of(found()).stream()
                .mapToInt(result -> result.tried().size())
                .sum();
        return tried == 0 ? List.of() : List.of((tried == 1 ? "one trial" : tried + " trials") + " for " + name());
    }

    /** Returns sentences about the search for the conclusion, each as a list of its clauses. */
    List<List<String>> sentences(SearchResults found);

    List<SearchAnswer> figures(SearchResults found);
}
