package weir.feature.tune;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.judge.RateRule;
import weir.judge.caveat.LoadCaveats;
import weir.judge.trial.JudgedTrial;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Demand;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;
import weir.results.value.TrialResult;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.AnswerCaveats;

/**
 * The search for the settings on the Pareto front. {@link Proposals} chooses points. Two short trials measure each
 * point, one at full speed and one at a rate that is common to all points. In the finals, Weir measures the best points
 * and the defaults again, in turns.
 */
final class TuneSearch implements AdaptiveSearch {
    private static final String WHAT = "tune";

    /** The value for a rate of zero, because zero has no logarithm. */
    private static final double NOTHING = 1;

    private static final List<CaveatType> OF_ONE_TRIAL =
            List.of(LoadCaveats.THIN_PERCENTILE, LoadCaveats.NOT_STEADY, LoadCaveats.UNREAD, RateRule.RATE_MISSED);

    private final TuneSpec asked;
    private final Variant variant;
    private final double to;
    private final int before;
    private final LongSupplier nanos;
    private final SettingSpace space;
    private final TuneBudget budget;
    private final boolean delivers;
    private final List<TuneTrial> trials = new ArrayList<>();
    private final Map<Integer, List<Caveat>> caveats;
    private final Proposals proposals;
    private final SortedMap<String, String> defaults;
    private boolean warmedUp;
    private long begun;

    /** The next trial, kept until its result, because a choice evaluates the model at every point. */
    private @Nullable PairedTrial chosen;

    private Finals finals = Finals.NOT_YET;

    private record PairedTrial(SortedMap<String, String> settings, int round, boolean paced) {}

    /** @param to highest allowed rate, in operations per second */
    TuneSearch(TuneSpec asked, Variant variant, double to, AdaptiveSearches run) {
        List<TuneTrial> tried =
                run.before(TuneResult.class, variant).map(TuneResult::trials).orElse(List.of());
        this.asked = asked;
        this.variant = variant;
        this.to = to;
        this.before = run.earlier().tried() - tried.size();
        this.nanos = run.nanos();
        this.caveats = new TreeMap<>(run.caveats());
        this.delivers = variant.load().workload() == LoadSpec.Workload.DELIVER;
        this.defaults = asked.defaults(variant);
        this.space = space(asked, variant, run.takes());
        this.budget = new TuneBudget(asked, space.points().size());
        List<SettingSpace.Point> first = new ArrayList<>(first(space.axes(), asked, variant));
        first.retainAll(space.points());
        this.proposals =
                new Proposals(space, first, point -> durability(settings(point)).rank(), new Random(variant.seed()));
        this.begun = run.nanos().getAsLong();
        tried.forEach(this::take);
    }

    /**
     * Returns the allowed points, with the defaults and the goals if the space lists their values.
     *
     * @param takes true for a variant whose properties its clients accept
     */
    static SettingSpace space(TuneSpec asked, Variant variant, Predicate<Variant> takes) {
        List<SettingSpace.Axis> axes = asked.space().entrySet().stream()
                .map(axis -> SettingSpace.Axis.of(axis.getKey(), axis.getValue()))
                .toList();
        return new SettingSpace(
                axes,
                point -> takes.test(TunedVariant.with(variant, settings(axes, point))),
                first(axes, asked, variant),
                new Random(variant.seed()));
    }

    private static List<SettingSpace.Point> first(List<SettingSpace.Axis> axes, TuneSpec asked, Variant variant) {
        List<SettingSpace.Point> first = new ArrayList<>(point(axes, asked.defaults(variant)));
        asked.goals(variant).forEach(goal -> first.addAll(point(axes, goal)));
        return first;
    }

    private static List<SettingSpace.Point> point(List<SettingSpace.Axis> axes, Map<String, String> values) {
        List<Integer> numbers = axes.stream()
                .map(axis -> axis.values().indexOf(values.getOrDefault(axis.path(), "")))
                .toList();
        return numbers.contains(-1) ? List.of() : List.of(new SettingSpace.Point(numbers));
    }

    private SortedMap<String, String> settings(SettingSpace.Point point) {
        return settings(space.axes(), point);
    }

    private static SortedMap<String, String> settings(List<SettingSpace.Axis> axes, SettingSpace.Point point) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (int axis = 0; axis < axes.size(); axis++) {
            settings.put(
                    axes.get(axis).path(),
                    axes.get(axis).values().get(point.values().get(axis)));
        }
        return settings;
    }

    private Durability durability(SortedMap<String, String> settings) {
        return Durability.of(TunedVariant.with(variant, settings));
    }

    @Override
    public Next next() {
        begun = nanos.getAsLong();
        if (over()) {
            return new Next.Done();
        }
        if (!warmedUp) {
            return new Next.Run(Trial.warmUp(TunedVariant.warmUp(variant, asked, to), 1, WHAT), to, "");
        }
        PairedTrial half = half();
        int number = trials.size() + 1;
        boolean verified = half.round() > 0;
        double perSecond = half.paced() ? rate() : to;
        Variant tried = TunedVariant.tried(variant, asked, half.settings(), perSecond, verified);
        String why =
                (verified ? "finals, round " + half.round() + ": " : "") + (half.paced() ? "latency" : "throughput");
        return new Next.Run(new Trial(before + number, tried, number, WHAT), perSecond, why);
    }

    private double rate() {
        if (asked.at() instanceof RateSpec.Fixed fixed) {
            return Math.min(to, fixed.highest(variant.load().senders()));
        }
        double share = ((RateSpec.OfCapacity) asked.at()).share().share();
        // The first trial uses the defaults. Records are converted to operations.
        double carried = trials.isEmpty() ? 0 : figure(trials.get(0).perSecond());
        return Math.max(NOTHING, FixedRateVariant.rounded(Math.min(to, carried / Demand.records(variant) * share)));
    }

    private PairedTrial half() {
        PairedTrial half = chosen == null ? choice() : chosen;
        chosen = half;
        return half;
    }

    private PairedTrial choice() {
        TuneTrial last = trials.isEmpty() ? null : trials.get(trials.size() - 1);
        if (last == null) {
            return new PairedTrial(new TreeMap<>(), 0, false);
        }
        if (!last.paced()) {
            return new PairedTrial(last.settings(), last.round(), true);
        }
        if (finals().equals(Finals.NOT_YET)) {
            return new PairedTrial(settings(proposals.next()), 0, false);
        }
        // Each round has another order, so that no point always follows the same point.
        List<SortedMap<String, String>> order = new ArrayList<>(finals.points());
        int done = pairsOfFinals();
        int round = done / order.size();
        Collections.shuffle(order, new Random(variant.seed() + round));
        return new PairedTrial(order.get(done % order.size()), round + 1, false);
    }

    private record Finals(List<SortedMap<String, String>> points, int rounds) {
        private static final Finals NOT_YET = new Finals(List.of(), 0);
    }

    private Finals finals() {
        if (finals.equals(Finals.NOT_YET)) {
            finals = chosenFinals();
        }
        return finals;
    }

    private Finals chosenFinals() {
        List<TuneTrial> explored =
                trials.stream().filter(one -> one.round() == 0).toList();
        boolean begunFinals = explored.size() < trials.size();
        // The time of an earlier execution counts, except its warm-up, which is repeated.
        double elapsed = budget.warmUpSeconds()
                + explored.stream().mapToDouble(TuneTrial::seconds).sum();
        double pair =
                2 * explored.stream().mapToDouble(TuneTrial::seconds).average().orElse(budget.pair() / 2);
        if (!begunFinals && budget.another(explored.size() / 2, elapsed, pair)) {
            return Finals.NOT_YET;
        }
        List<SortedMap<String, String>> points = new ArrayList<>();
        points.add(new TreeMap<>());
        proposals.best(budget.finalists(pair) + 1).stream()
                .map(this::settings)
                .filter(settings -> !settings.equals(defaults))
                .limit(budget.finalists(pair))
                .forEach(points::add);
        return new Finals(points, budget.rounds(elapsed, pair, points.size()));
    }

    private boolean over() {
        if (trials.isEmpty() || !trials.get(trials.size() - 1).paced()) {
            return false;
        }
        return !finals().equals(Finals.NOT_YET)
                && pairsOfFinals() >= finals.rounds() * finals.points().size();
    }

    private int pairsOfFinals() {
        return (int)
                trials.stream().filter(one -> one.round() > 0 && one.paced()).count();
    }

    @Override
    public Optional<SearchResult> add(JudgedTrial trial) {
        if (!warmedUp) {
            warmedUp = true;
            return Optional.empty();
        }
        PairedTrial half = half();
        TrialResult result = trial.result();
        Figures figures = result.figures();
        int number = before + trials.size() + 1;
        caveats.put(number, trial.caveats());
        take(new TuneTrial(
                number,
                half.settings(),
                half.round(),
                half.paced(),
                delivers ? figures.receivedPerSecond() : figures.ackedPerSecond(),
                (delivers ? figures.e2e() : figures.response()).p99(),
                result.cpuMicros(),
                (nanos.getAsLong() - begun) / 1e9));
        return Optional.of(result());
    }

    private void take(TuneTrial tried) {
        chosen = null;
        trials.add(tried);
        if (tried.paced() && tried.round() == 0) {
            TuneTrial fast = trials.get(trials.size() - 2);
            SortedMap<String, String> values = new TreeMap<>(defaults);
            values.putAll(tried.settings());
            // The defaults may not be a point of the space.
            point(space.axes(), values)
                    .forEach(point -> proposals.add(point, figure(fast.perSecond()), latency(tried)));
        }
    }

    private static double figure(@Nullable Double perSecond) {
        return Math.max(NOTHING, Objects.requireNonNullElse(perSecond, 0.0));
    }

    /** If no record arrived, the latency is the duration of the trial, a lower bound. */
    private double latency(TuneTrial tried) {
        return Objects.requireNonNullElse(
                tried.millis(), (double) asked.measure().toMillis());
    }

    @Override
    public TuneResult result() {
        boolean over = over();
        return new TuneResult(
                variant.name(),
                delivers ? "received/s" : "acked/s",
                delivers ? "e2e p99" : "response p99",
                asked.space(),
                trials.isEmpty() ? null : (Double) rate(),
                trials,
                over ? TuneJudge.finalists(trials, this::durability) : List.of(),
                over ? EffectFit.of(new LinkedHashMap<>(asked.space()), defaults, trials) : List.of(),
                over ? "" : "the search ended early, after " + NumberFormat.count((long) trials.size()) + " trials");
    }

    @Override
    public List<Caveat> caveats() {
        if (!(next() instanceof Next.Done)) {
            return AnswerCaveats.cutShort(WHAT, "settings of " + variant.name(), trials.size());
        }
        AnswerCaveats all = new AnswerCaveats("settings of " + variant.name());
        trials.stream()
                .filter(one -> one.round() > 0)
                .forEach(one -> caveats.getOrDefault(one.trial(), List.of()).stream()
                        .filter(caveat -> OF_ONE_TRIAL.stream().noneMatch(caveat::is))
                        // No trial at full speed reaches its rate limit, so its lateness does not matter.
                        .filter(caveat -> one.paced() || !caveat.is(RateRule.GENERATOR_LATE))
                        .forEach(all::add));
        return all.list();
    }
}
