package weir.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weir.judge.BreakingPoints;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.results.value.BreakingPointResult;
import weir.results.value.SearchResults.SearchResult;
import weir.results.value.TrialResult;

/**
 * The search for the first step that does not hold. It takes its trials from another search, so that variants alternate,
 * and adds the limits that their steps are held against.
 */
public final class BreakingPointSearch implements Search {
    private final Experiment experiment;
    private final Search trials;
    private final List<TrialResult> results = new ArrayList<>();

    public BreakingPointSearch(Experiment experiment, Search trials) {
        this.experiment = experiment;
        this.trials = trials;
    }

    @Override
    public Next next() {
        Next next = trials.next();
        return next instanceof Next.Run run
                ? new Next.Run(
                        run.trial(),
                        SearchSpec.BreakingPoint.limits(experiment, run.trial().variant()),
                        run.rate(),
                        run.why())
                : next;
    }

    @Override
    public Optional<SearchResult> told(JudgedTrial trial) {
        results.add(trial.result());
        return trials.told(trial);
    }

    /** The breaking points of the variants that were asked for and measured. */
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
