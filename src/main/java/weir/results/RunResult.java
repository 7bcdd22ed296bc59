package weir.results;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import weir.plan.RecordKeys;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.OverheadResult;
import weir.results.value.SearchResults;
import weir.results.value.TrialResult;

/**
 * A whole run: the object of {@code --format json} and of {@code conclusion.json}.
 *
 * @param models the models that were fitted to the trials; each key names a kind of model
 */
public record RunResult(
        int version,
        String name,
        String run,
        boolean valid,
        int exit,
        List<Caveat> caveats,
        List<ExpectResult> expect,
        List<ComparisonResult> comparisons,
        List<OverheadResult> overheads,
        Map<String, List<? extends ModelResult>> models,
        List<TrialResult> trials,
        Conclusion conclusion,
        String report) {
    public static final int VERSION = 1;
    public static final RunResult NONE = new RunResult(
            VERSION,
            "",
            "",
            true,
            0,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Map.of(),
            List.of(),
            Conclusion.of(List.of(), SearchResults.NONE),
            "");

    public RunResult {
        caveats = List.copyOf(caveats);
        expect = List.copyOf(expect);
        comparisons = List.copyOf(comparisons);
        overheads = List.copyOf(overheads);
        models = Collections.unmodifiableMap(new TreeMap<>(Objects.requireNonNullElse(models, Map.of())));
        trials = List.copyOf(trials);
    }

    public boolean whole(RequestedExperiment asked) {
        int wanted = asked.variants().stream()
                .mapToInt(RequestedExperiment.Variant::repeat)
                .sum();
        return trials.size() >= wanted && caveats.stream().noneMatch(caveat -> caveat.is(Caveat.INTERRUPTED));
    }

    public RunState state(RequestedExperiment asked) {
        return valid ? RunState.of(caveats, whole(asked)) : RunState.INVALID;
    }

    /** The types of the caveats that make the result suspect or invalid. */
    public List<String> doubts() {
        return caveats.stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .map(Caveat::type)
                .distinct()
                .toList();
    }

    public <M extends ModelResult> List<M> models(Class<M> form) {
        return models.values().stream()
                .flatMap(List::stream)
                .filter(form::isInstance)
                .map(form::cast)
                .toList();
    }

    public RunResult with(Conclusion other) {
        return RecordKeys.with(this, Map.of("conclusion", other));
    }

    public String toJson() {
        return ResultJson.write(this);
    }

    public interface ModelResult {
        boolean found();

        List<String> sentences();
    }
}
