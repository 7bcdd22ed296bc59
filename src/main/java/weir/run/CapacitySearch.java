package weir.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import weir.judge.AttemptJudge;
import weir.judge.Evidence;
import weir.plan.Expectation;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.search.Capacity;
import weir.search.Search;

/** The search for the capacity of one variant: heats what is cold, then carries out the trials that are chosen. */
final class CapacitySearch {
    private static final String WHAT = "capacity";

    /** At full speed queues are as long as they get; a quarter of that is likely to be held. */
    private static final double BELOW = 4;

    private final SearchSpec.Capacity asked;
    private final Variant variant;
    private final double to;
    private final TrialRunner bench;
    private final RunListener listener;
    private final List<Attempt> tried;
    private final List<Exit> promises = new ArrayList<>();
    private Capacity search;

    /** {@code to} is the highest rate, in operations per second; {@code tried} is what an earlier execution did. */
    CapacitySearch(
            SearchSpec.Capacity asked,
            Variant variant,
            double to,
            List<Attempt> tried,
            TrialRunner bench,
            RunListener listener) {
        this.asked = asked;
        this.variant = variant;
        this.to = to;
        this.tried = new ArrayList<>(tried);
        this.bench = bench;
        this.listener = listener;
        this.search = from(0);
    }

    /**
     * Goes on until it has its answer, or until it is over.
     *
     * @param before trials of the run's other searches
     * @param kept called after each trial
     * @return whether it came to its end
     */
    boolean run(int before, BooleanSupplier over, Runnable kept) {
        if (goesOn() && !over.getAsBoolean() && asked.heats(variant)) {
            search = from(heat(over));
        }
        AttemptJudge holding = new AttemptJudge(asked.limits());
        while (search.next(tried) instanceof Search.Next.Try next) {
            if (over.getAsBoolean()) {
                return false;
            }
            int number = tried.size() + 1;
            Trial trial = new Trial(before + number, at(next), number, WHAT);
            listener.tries(trial, next.rate(), next.why());
            Optional<TrialRunner.Carried> carried = bench.carry(trial, 0, 0);
            if (carried.isEmpty() || !carried.get().stopped().isEmpty()) {
                return false;
            }
            TrialRunner.Carried one = carried.get();
            promises.add(one.promise());
            Attempt last = holding.of(
                    trial.number(), next.rate(), new Evidence.Folder(one.result(), one.folder()), one.doubts());
            tried.add(next.confirms() ? last.asConfirmation() : last);
            kept.run();
            listener.tried(trial, last);
        }
        return true;
    }

    private Variant at(Search.Next.Try next) {
        return FixedRateVariant.tried(
                variant, asked, next.rate(), next.confirms() ? asked.confirming() : asked.measure());
    }

    /** The answer so far. */
    CapacityResult result() {
        return search.conclude(tried);
    }

    /** The exits that say how Kafka kept its promises meanwhile. */
    List<Exit> promises() {
        return List.copyOf(promises);
    }

    private boolean goesOn() {
        return search.next(tried) instanceof Search.Next.Try;
    }

    /** {@code likely}: a guess of a rate that holds, zero where there is none. */
    private Capacity from(double likely) {
        return new Capacity(
                variant.name(),
                asked.limits().stream().map(Expectation::text).toList(),
                Demand.operations(asked.from(), false, variant.load()),
                likely,
                to,
                asked.precision().share());
    }

    /**
     * Returns a rate that is likely to be held, in operations per second: what is cold is slow, and carries first as much
     * as it can or may, then this rate, as a closed loop leaves cold what paces.
     */
    private double heat(BooleanSupplier over) {
        double likely = FixedRateVariant.rounded(heat(1, to, asked.heating()) / BELOW);
        if (likely >= 1 && !over.getAsBoolean()) {
            heat(2, likely, asked.settling());
        }
        return likely;
    }

    /** The operations per second that were carried. */
    private double heat(int pass, double perSecond, Duration length) {
        Trial trial = Trial.heating(FixedRateVariant.heated(variant, asked, perSecond, length), pass, WHAT);
        listener.heats(trial, perSecond);
        Optional<TrialRunner.Carried> carried = bench.carry(trial, 0, 0);
        if (carried.isEmpty()) {
            return 0;
        }
        promises.add(carried.get().promise());
        return Objects.requireNonNullElse(carried.get().result().figures().ackedPerSecond(), 0.0)
                / Demand.records(variant);
    }
}
