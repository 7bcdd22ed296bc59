package weir.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import weir.judge.BreakingPoints;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.RecordKeys;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.BreakingPointResult;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;
import weir.results.value.TrialResult;

/** The trials of a list, in order. No trial depends on the results of earlier trials of the list. */
public final class FixedTrials implements Search {
    private final Experiment experiment;
    private final List<Trial> trials;
    private final Supplier<List<CapacityResult>> capacities;
    private final List<TrialResult> results = new ArrayList<>();

    /** {@code capacities} are the base of rates such as 50% of capacity; they are requested when a trial is due. */
    public FixedTrials(Experiment experiment, List<Trial> trials, Supplier<List<CapacityResult>> capacities) {
        this.experiment = experiment;
        this.trials = List.copyOf(trials);
        this.capacities = capacities;
    }

    @Override
    public Next next() {
        if (results.size() == trials.size()) {
            return new Next.Done();
        }
        Trial planned = trials.get(results.size());
        if (!planned.variant().load().rate().ofCapacity()) {
            return run(planned);
        }
        // All variants of a comparison run at one rate, that of the lowest capacity.
        return capacities.get().stream()
                .min(Comparator.comparingDouble(found -> Objects.requireNonNullElse(found.rate(), 0.0)))
                .filter(lowest -> lowest.rate() != null)
                .<Next>map(lowest -> run(atShare(planned, lowest)))
                .orElse(new Next.Stuck("the search found no capacity, so trials at a share of it are skipped"));
    }

    private Next.Run run(Trial trial) {
        return new Next.Run(
                trial,
                trial.profiled() ? List.of() : SearchSpec.BreakingPoint.limits(experiment, trial.variant()),
                0,
                "");
    }

    private static Trial atShare(Trial planned, CapacityResult capacity) {
        double rate = Objects.requireNonNull(capacity.rate());
        String origin = "capacity of " + capacity.of() + ", " + NumberFormat.rate(rate);
        return RecordKeys.with(planned, Map.of("variant", FixedRateVariant.of(planned.variant(), rate, origin)));
    }

    @Override
    public Optional<SearchResult> add(JudgedTrial trial) {
        results.add(trial.result());
        return Optional.empty();
    }

    public List<BreakingPointResult> found() {
        List<BreakingPointResult> points = new ArrayList<>();
        for (SearchSpec search : experiment.searches()) {
            if (search instanceof SearchSpec.BreakingPoint breaking) {
                List<String> limits =
                        breaking.limits().stream().map(Expectation::text).toList();
                breaking.asked(experiment).stream()
                        .map(Variant::name)
                        .filter(name -> results.stream()
                                .anyMatch(result -> result.variant().equals(name)))
                        .forEach(name -> points.add(BreakingPoints.of(name, limits, results)));
            }
        }
        return points;
    }
}
