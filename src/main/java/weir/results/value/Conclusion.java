package weir.results.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.plan.RecordKeys;
import weir.results.value.SearchResults.SearchResult;

/**
 * The answer in one sentence, its subject, and the advice.
 *
 * @param details figures that belong to the answer but do not fit into its sentence
 * @param capacity of the first searched variant; null without a search
 * @param capacities of every searched variant, by its name
 * @param searches the answers of other searches, by their name in the file
 */
public record Conclusion(
        String answer,
        String scope,
        List<String> details,
        List<String> losses,
        List<String> advice,
        List<BreakingPointResult> breakingPoints,
        @Nullable CapacityResult capacity,
        Map<String, CapacityResult> capacities,
        Map<String, List<SearchResult>> searches) {
    public Conclusion {
        details = List.copyOf(details);
        losses = List.copyOf(losses);
        advice = List.copyOf(advice);
        breakingPoints = List.copyOf(breakingPoints);
        capacities = Collections.unmodifiableMap(new LinkedHashMap<>(capacities));
        // A file without such answers lacks this property.
        Map<String, List<SearchResult>> answered = new LinkedHashMap<>(Objects.requireNonNullElse(searches, Map.of()));
        answered.values().removeIf(List::isEmpty);
        searches = Collections.unmodifiableMap(answered);
    }

    public Conclusion(
            String answer,
            String scope,
            List<String> details,
            List<String> losses,
            List<String> advice,
            List<BreakingPointResult> breakingPoints,
            SearchResults found) {
        this(
                answer,
                scope,
                details,
                losses,
                advice,
                breakingPoints,
                found.capacities().stream().findFirst().orElse(null),
                named(found.capacities()),
                searches(found));
    }

    /** A conclusion with the numbers that a run has found, without an answer in words. */
    public static Conclusion of(List<BreakingPointResult> breakingPoints, SearchResults found) {
        return new Conclusion("", "", List.of(), List.of(), List.of(), breakingPoints, found);
    }

    public SearchResults found() {
        List<SearchResult> all = new ArrayList<>(capacities.values());
        searches.values().forEach(all::addAll);
        return new SearchResults(all);
    }

    private static Map<String, List<SearchResult>> searches(SearchResults found) {
        Map<String, List<SearchResult>> searches = new LinkedHashMap<>();
        for (SearchKind kind : Features.each(SearchKind.class)) {
            List<? extends SearchResult> own = found.of(kind.found());
            if (!own.isEmpty()) {
                searches.put(kind.answers(), List.copyOf(own));
            }
        }
        return searches;
    }

    private static Map<String, CapacityResult> named(List<CapacityResult> capacities) {
        Map<String, CapacityResult> named = new LinkedHashMap<>();
        capacities.forEach(result -> named.put(result.of(), result));
        return named;
    }

    public Conclusion answering(String other) {
        return RecordKeys.with(this, Map.of("answer", other));
    }

    public @Nullable BreakingPointResult breakingPoint() {
        return breakingPoints.isEmpty() ? null : breakingPoints.get(0);
    }
}
