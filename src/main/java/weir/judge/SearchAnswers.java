package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.results.RequestedExperiment;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.SearchResults;

/** The answers of all searches in words, each kind in its own. */
public final class SearchAnswers {
    private SearchAnswers() {}

    /** The conclusion with what the searches found before everything else; without trials that is all there is. */
    public static Conclusion first(
            Conclusion conclusion,
            RequestedExperiment asked,
            SearchResults found,
            List<ComparisonResult> comparisons,
            boolean measured) {
        if (found.isEmpty()) {
            return conclusion;
        }
        List<String> scope = new ArrayList<>();
        if (!measured) {
            SortedMap<String, String> settings = asked.variants().get(0).values();
            scope.add(settings.getOrDefault("load.workload", ""));
            scope.add("values of " + settings.getOrDefault("load.value.size", "a file"));
        }
        scope.add(Capacities.trials(found.capacities()));
        scope.add(conclusion.scope());
        String answer = measured ? conclusion.answer() : "";
        return conclusion.with(
                said(Stream.of(Capacities.sentence(found.capacities(), comparisons), answer), " "),
                said(scope.stream(), " · "),
                found);
    }

    private static String said(Stream<String> parts, String between) {
        return parts.filter(part -> !part.isBlank()).collect(Collectors.joining(between));
    }
}
