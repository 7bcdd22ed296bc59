package weir.results.value;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer in one sentence, what it is an answer about, and what to do.
 *
 * @param details figures that belong to the answer, where one sentence cannot hold them
 * @param breakingPoints where those variants break of which it was asked
 * @param capacity that of the first variant that was searched; null where nothing was searched
 * @param capacities of every variant that was searched, by its name
 * @param partitions the numbers that carry a rate, of the variants that were asked about
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
        List<PartitionsResult> partitions,
        List<TuneResult> tunings) {
    private static final int MOST_FAILED = 3;

    public Conclusion {
        details = List.copyOf(details);
        losses = List.copyOf(losses);
        advice = List.copyOf(advice);
        breakingPoints = List.copyOf(breakingPoints);
        capacities = Collections.unmodifiableMap(new LinkedHashMap<>(capacities));
        partitions = List.copyOf(partitions);
        tunings = List.copyOf(tunings);
    }

    /** Where only breaking points were searched. */
    public Conclusion(
            String answer,
            String scope,
            List<String> losses,
            List<String> advice,
            List<BreakingPointResult> breakingPoints) {
        this(answer, scope, List.of(), losses, advice, breakingPoints, null, Map.of(), List.of(), List.of());
    }

    /** Where no search was asked for. */
    public Conclusion(String answer, String scope, List<String> losses, List<String> advice) {
        this(answer, scope, losses, advice, List.of());
    }

    /** The first of them. */
    public @Nullable BreakingPointResult breakingPoint() {
        return breakingPoints.isEmpty() ? null : breakingPoints.get(0);
    }

    /** With figures that belong to it. */
    public Conclusion detailed(List<String> figures) {
        return new Conclusion(
                answer, scope, figures, losses, advice, breakingPoints, capacity, capacities, partitions, tunings);
    }

    /** With the expectations that did not hold, which no answer may leave out. */
    public Conclusion with(List<ExpectResult> expect) {
        return new Conclusion(
                (answer + " " + failed(expect)).strip(),
                scope,
                details,
                losses,
                advice,
                breakingPoints,
                capacity,
                capacities,
                partitions,
                tunings);
    }

    private static String failed(List<ExpectResult> expect) {
        List<String> failed = expect.stream()
                .filter(one -> !one.passed())
                .map(one -> one.text()
                        + (one.verdict().equals(ExpectResult.UNDECIDED) ? " is undecided" : "")
                        + (one.reason().isEmpty() ? "" : " (" + one.reason() + ")"))
                .toList();
        if (failed.isEmpty()) {
            return "";
        }
        int more = failed.size() - MOST_FAILED;
        String named = String.join("; ", failed.subList(0, Math.min(MOST_FAILED, failed.size())));
        return failed.size() + " of "
                + (expect.size() == 1 ? "1 expectation" : expect.size() + " expectations") + " failed: " + named
                + (more > 0 ? "; and " + more + " more" : "") + ".";
    }

    public Conclusion with(String words, String about, SearchResults found) {
        Map<String, CapacityResult> named = new LinkedHashMap<>();
        found.capacities().forEach(result -> named.put(result.of(), result));
        return new Conclusion(
                words,
                about,
                details,
                losses,
                advice,
                breakingPoints,
                found.capacities().stream().findFirst().orElse(null),
                named,
                found.partitions(),
                found.tunings());
    }
}
