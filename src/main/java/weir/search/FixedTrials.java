package weir.search;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import weir.judge.trial.JudgedTrial;
import weir.plan.RateSpec;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;

/** The trials of a list, one after the other, whatever they show. */
public final class FixedTrials implements Search {
    private final List<Trial> trials;
    private final Supplier<List<CapacityResult>> capacities;
    private int told;

    /** {@code capacities} are those that shares are taken of, asked for when a trial is due. */
    public FixedTrials(List<Trial> trials, Supplier<List<CapacityResult>> capacities) {
        this.trials = List.copyOf(trials);
        this.capacities = capacities;
    }

    @Override
    public Next next() {
        if (told == trials.size()) {
            return new Next.Done();
        }
        Trial planned = trials.get(told);
        if (!(planned.variant().load().rate() instanceof RateSpec.OfCapacity)) {
            return new Next.Run(planned, 0, "");
        }
        // Of several capacities the lowest: all variants of a comparison run at one rate.
        return capacities.get().stream()
                .min(Comparator.comparingDouble(found -> Objects.requireNonNullElse(found.rate(), 0.0)))
                .filter(lowest -> lowest.rate() != null)
                .<Next>map(lowest -> new Next.Run(atShare(planned, lowest), 0, ""))
                .orElse(new Next.Stuck(
                        "no capacity was found to take a share of, so the trials at a share of it are left out"));
    }

    private static Trial atShare(Trial planned, CapacityResult capacity) {
        double rate = Objects.requireNonNull(capacity.rate());
        String origin = "capacity of " + capacity.of() + ", " + NumberFormat.rate(rate);
        return new Trial(
                planned.number(),
                FixedRateVariant.of(planned.variant(), rate, origin),
                planned.repeat(),
                planned.search());
    }

    @Override
    public Optional<SearchResult> told(JudgedTrial trial) {
        told++;
        return Optional.empty();
    }
}
