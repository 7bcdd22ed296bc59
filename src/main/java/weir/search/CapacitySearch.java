package weir.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import weir.judge.AttemptJudge;
import weir.judge.RateRule;
import weir.judge.caveat.GeneratorCaveats;
import weir.judge.caveat.LoadCaveats;
import weir.judge.trial.JudgedTrial;
import weir.plan.Expectation;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Demand;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.SearchResults.SearchResult;

/** The search for the capacity of one variant: warm-up trials, then trials at the rates of {@link Capacity}. */
public final class CapacitySearch implements AdaptiveSearch {
    private static final String WHAT = "capacity";
    private static final int WARM_UPS = 2;

    /** The divisor of the rate at full speed, where queues are longest. A quarter of it is probably sustained. */
    private static final double BELOW = 4;

    private static final List<CaveatType> JUDGED = List.of(
            RateRule.GENERATOR_LATE,
            RateRule.RATE_MISSED,
            LoadCaveats.NOT_STEADY,
            LoadCaveats.UNREAD,
            LoadCaveats.THIN_PERCENTILE);

    private final SearchSpec.Capacity asked;
    private final Variant variant;
    private final double to;
    private final double heat;
    private final int before;
    private final AttemptJudge judge;
    private final List<Attempt> tried;
    private final Map<Integer, List<Caveat>> caveats;
    private Capacity capacity;
    private double likely;
    private int warmUps;

    /**
     * Creates a search that continues an earlier execution of the run.
     *
     * @param to the highest rate, in operations per second
     * @param heat the rate of the first warm-up trial; infinite for full speed
     * @param before the number of trials of the run's other searches
     * @param tried the attempts of the earlier execution
     * @param caveats the caveats of those attempts, by trial number
     */
    public CapacitySearch(
            SearchSpec.Capacity asked,
            Variant variant,
            double to,
            double heat,
            int before,
            List<Attempt> tried,
            Map<Integer, List<Caveat>> caveats) {
        this.asked = asked;
        this.variant = variant;
        this.to = to;
        this.heat = heat;
        this.before = before;
        this.judge = new AttemptJudge(asked.limits());
        this.tried = new ArrayList<>(tried);
        this.caveats = new TreeMap<>(caveats);
        this.capacity = from(0);
        this.warmUps = asked.warmsUp(variant) ? 0 : WARM_UPS;
    }

    private Capacity from(double guess) {
        return new Capacity(
                variant.name(),
                asked.limits().stream().map(Expectation::text).toList(),
                variant.load().senders().operations(asked.from(), false),
                guess,
                to,
                asked.precision().share());
    }

    /**
     * Warms up first, because a cold system is slow. The first warm-up trial runs at full speed, or at the highest
     * allowed rate. The next warm-up trial has a fixed rate, because a closed loop does not use the code for pacing.
     */
    @Override
    public Next next() {
        Capacity.Try next = capacity.next(tried).orElse(null);
        if (next == null) {
            return new Next.Done();
        }
        if (warmUps < WARM_UPS) {
            return warmUps == 0 ? warmUp(heat, asked.warmUpLength()) : warmUp(likely, asked.settling());
        }
        int number = tried.size() + 1;
        Variant at = next.confirms()
                ? FixedRateVariant.confirmed(variant, asked, next.rate())
                : FixedRateVariant.tried(variant, asked, next.rate());
        return new Next.Run(new Trial(before + number, at, number, WHAT), next.rate(), next.why());
    }

    private Next warmUp(double perSecond, Duration length) {
        Variant hot = FixedRateVariant.warmUp(variant, asked, perSecond, length);
        return new Next.Run(Trial.warmUp(hot, warmUps + 1, WHAT), perSecond, "");
    }

    @Override
    public Optional<SearchResult> add(JudgedTrial trial) {
        if (warmUps < WARM_UPS) {
            if (warmUps++ == 0) {
                double acked =
                        Objects.requireNonNullElse(trial.result().figures().ackedPerSecond(), 0.0);
                likely = FixedRateVariant.rounded(acked / Demand.records(variant) / BELOW);
                capacity = from(likely);
                warmUps = likely < 1 ? WARM_UPS : warmUps;
            }
            return Optional.empty();
        }
        Capacity.Try last = capacity.next(tried).orElseThrow();
        int number = before + tried.size() + 1;
        caveats.put(number, trial.caveats());
        boolean repeatable = tried.stream()
                        .filter(one -> one.outcome() == Attempt.Outcome.DISTURBED)
                        .count()
                < SearchSpec.Capacity.MOST_DISTURBED;
        tried.add(
                last.confirms()
                        ? judge.confirmed(number, last.rate(), asked.pause(), repeatable, trial, trial.caveats())
                        : judge.of(number, last.rate(), trial, trial.caveats()));
        return Optional.of(result());
    }

    @Override
    public CapacityResult result() {
        return capacity.conclude(tried);
    }

    @Override
    public List<Caveat> caveats() {
        String answer = "capacity of " + variant.name();
        if (!(next() instanceof Next.Done)) {
            return AnswerCaveats.cutShort(WHAT, "the " + answer, tried.size());
        }
        CapacityResult result = result();
        AnswerCaveats all = new AnswerCaveats(answer);
        if (result.generatorGaveWay()) {
            all.own(Caveat.of(GeneratorCaveats.GENERATOR_NEAR_ITS_LIMIT, null, result.reason())
                    .weakening(WHAT));
        }
        double low = Objects.requireNonNullElse(result.rate(), 0.0);
        tried.stream()
                .filter(one -> one.rate() == low || one.rate() == result.next())
                .flatMap(one -> caveats.getOrDefault(one.trial(), List.of()).stream())
                .filter(caveat -> JUDGED.stream().noneMatch(caveat::is))
                .forEach(all::add);
        return all.list();
    }
}
