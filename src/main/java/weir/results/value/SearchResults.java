package weir.results.value;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The answers of a run's searches by their kind, each kind in the order of the variants. */
public record SearchResults(List<CapacityResult> capacities, List<PartitionsResult> partitions) {
    public static final SearchResults NONE = new SearchResults(List.of(), List.of());

    public SearchResults {
        capacities = List.copyOf(capacities);
        partitions = List.copyOf(partitions);
    }

    /** The same with an answer that is new, or that stands in the place of an earlier one. */
    public SearchResults with(SearchResult found) {
        if (found instanceof CapacityResult capacity) {
            return new SearchResults(put(capacities, capacity), partitions);
        }
        if (found instanceof PartitionsResult number) {
            return new SearchResults(capacities, put(partitions, number));
        }
        throw new AssertionError(found);
    }

    private static <R extends SearchResult> List<R> put(List<R> results, R found) {
        Map<String, R> named = new LinkedHashMap<>();
        results.forEach(result -> named.put(result.of(), result));
        named.put(found.of(), found);
        return List.copyOf(named.values());
    }

    /** The trials of all of them. */
    public int tried() {
        return Stream.<SearchResult>concat(capacities.stream(), partitions.stream())
                .mapToInt(result -> result.tried().size())
                .sum();
    }

    public boolean isEmpty() {
        return equals(NONE);
    }
}
