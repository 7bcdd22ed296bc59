package weir.search;

import java.util.List;
import weir.results.value.Caveat;
import weir.results.value.SearchResults.SearchResult;

/** A search that chooses its own trials and has its own answer. */
public interface AdaptiveSearch extends Search {
    SearchResult result();

    List<Caveat> caveats();
}
