package weir.search;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import weir.feature.Features;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchResult;

/**
 * The adaptive searches of a run. A resumed run continues each search after its last trial.
 *
 * @param earlier the answers so far, including those of earlier executions
 * @param caveats the caveats of the trials of earlier executions, by trial number
 * @param takes tests whether a variant's clients accept the properties of the variant
 */
public record AdaptiveSearches(
        SearchResults earlier, Map<Integer, List<Caveat>> caveats, LongSupplier nanos, Predicate<Variant> takes) {
    /** Creates a search; {@code to} is its highest rate, in operations per second. */
    public AdaptiveSearch of(SearchSpec asked, Variant variant, double to) {
        if (asked instanceof SearchSpec.Capacity capacity) {
            List<Attempt> tried = before(CapacityResult.class, variant)
                    .map(CapacityResult::tried)
                    .orElse(List.of());
            CapacitySearch search =
                    new CapacitySearch(capacity, variant, to, to, earlier.tried() - tried.size(), tried, caveats);
            return variant.clusterChanged()
                    ? new ChangedClusterSearch(search, variant, capacity(Variant.nameBefore(variant.name())))
                    : search;
        }
        return Features.search(asked).open(asked, variant, to, this);
    }

    private double capacity(String variant) {
        return earlier.capacities().stream()
                .filter(found -> found.of().equals(variant))
                .mapToDouble(found -> Objects.requireNonNullElse(found.rate(), 0.0))
                .findFirst()
                .orElse(0);
    }

    public <R extends SearchResult> Optional<R> before(Class<R> kind, Variant variant) {
        return earlier.of(kind).stream()
                .filter(result -> result.of().equals(variant.name()))
                .findFirst();
    }
}
