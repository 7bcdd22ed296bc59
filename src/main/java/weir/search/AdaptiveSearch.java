package weir.search;

import java.util.List;
import weir.results.value.Caveat;
import weir.results.value.SearchResults.SearchResult;

/** A search that chooses its trials by itself and has an answer of its own. */
public interface AdaptiveSearch extends Search {
    SearchResult result();

    /** The caveats of the answer; one of them says when it was cut short. */
    List<Caveat> caveats();
}
