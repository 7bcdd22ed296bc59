package weir.feature.tune;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import weir.feature.SearchKind;
import weir.feature.tune.TuneResult.Finalist;
import weir.feature.tune.TuneResult.Verdict;
import weir.plan.LoadSpec;
import weir.plan.Problem;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.check.EngineChecks;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Defaults;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchAnswer;
import weir.run.Preflight;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;

/** The search for the client settings on the Pareto front of throughput, latency and durability. */
record TuneKind(String name, String answers, String label, Class<TuneSpec> asked, Class<TuneResult> found)
        implements SearchKind {
    private static final String TUNE = "search.tune";

    private static final double BUSY = 0.75;

    TuneKind() {
        this("tune", "tunings", "settings", TuneSpec.class, TuneResult.class);
    }

    @Override
    public boolean keepsLengths() {
        return true;
    }

    @Override
    public void check(Tree.Section top, List<LayeredExperiment.LayeredVariant> searched, Findings findings) {
        List<String> search = List.of("search");
        TuneSpec asked = TuneSpec.of(
                Defaults.fill(top.only(search), search).section("search").section("tune"));
        new TuneChecks(top.section("search").section("tune"), findings).check(asked, searched);
    }

    @Override
    public void estimate(SearchSpec asked, Variant variant, Estimate.Sum sum) {
        TuneSpec search = (TuneSpec) asked;
        Demand demand = new Demand(variant.onSharedBrokers("search"));
        double perSecond = demand.assumed() * Demand.records(variant);
        double budget = TuneBudget.seconds(search.budget());
        double longest = Math.max(
                TuneBudget.seconds(search.warmup().plus(search.measure())), TuneBudget.seconds(search.warmUpLength()));
        sum.start(demand);
        // About a quarter of the time passes between the trials, and half of the trials are paced.
        sum.add(demand, 0, budget, perSecond * budget * BUSY, perSecond * longest, demand.toSink());
    }

    @Override
    public void preflight(SearchSpec search, Variant variant, double to, Preflight flight) {
        TuneSpec asked = (TuneSpec) search;
        if (Preflight.onExternalCluster(variant) && Double.isInfinite(to)) {
            flight.found(
                    TUNE,
                    "tuning loads this cluster, which Weir did not start, at full speed; set an upper bound,"
                            + " as in --max-rate 50k/s");
        }
        double common = asked.at().highest(variant.load().senders());
        if (common < Double.POSITIVE_INFINITY && common > to) {
            flight.found(TUNE + ".at", Preflight.above(common, to));
        }
        if (!flight.takes(variant)) {
            return;
        }
        boolean single = true;
        for (String path : asked.space().keySet()) {
            for (String value : asked.space().getOrDefault(path, List.of())) {
                for (Problem refused : flight.refused(variant.with(path, value, TUNE))) {
                    flight.found(TUNE + ".space." + path, "'" + value + "': " + refused.message());
                    single = false;
                }
            }
        }
        if (single && TuneSearch.space(asked, variant, flight::takes).points().size() < 2) {
            flight.found(TUNE + ".space", "must allow at least two combinations of values; write other values");
        }
    }

    @Override
    public AdaptiveSearch open(SearchSpec asked, Variant variant, double to, AdaptiveSearches run) {
        return new TuneSearch((TuneSpec) asked, variant, to, run);
    }

    @Override
    public List<String> scope(SearchResults all) {
        return all.of(TuneResult.class).stream().map(TuneResult::scope).toList();
    }

    @Override
    public List<List<String>> sentences(SearchResults all) {
        List<TuneResult> found = all.of(TuneResult.class);
        return found.stream()
                .map(result -> clauses(result, found.size() > 1 ? NumberFormat.quoted(result.of()) + ": " : ""))
                .toList();
    }

    @Override
    public List<SearchAnswer> figures(SearchResults all) {
        return all.of(TuneResult.class).stream().map(TuneKind::answer).toList();
    }

    private static List<String> clauses(TuneResult result, String of) {
        if (result.finalists().isEmpty()) {
            return List.of(of + "The best settings are unknown: " + result.reason());
        }
        List<String> sentences = new ArrayList<>();
        List<Finalist> better = result.better();
        better.stream().max(Comparator.comparingDouble(Finalist::rate)).ifPresent(most -> {
            sentences.add(most.name() + " beats the defaults: " + figures(result, most));
            better.stream()
                    .min(Comparator.comparingDouble(
                            one -> Objects.requireNonNullElse(one.millis(), Double.POSITIVE_INFINITY)))
                    .filter(least -> !least.equals(most))
                    .ifPresent(least -> sentences.add(least.name() + " beats them, too: " + figures(result, least)));
        });
        if (better.isEmpty()) {
            sentences.add("No tried settings beat the defaults in " + result.throughput() + ", " + latency(result)
                    + " or durability without being worse in another of the three");
        }
        result.finalists().stream()
                .filter(one -> one.verdict() == Verdict.TRADES)
                .max(Comparator.comparingDouble(Finalist::rate))
                .ifPresent(one -> sentences.add(one.name() + " trades: " + figures(result, one)));
        sentences.set(0, of + sentences.get(0));
        return sentences;
    }

    private static String figures(TuneResult result, Finalist one) {
        Finalist defaults = result.finalists().get(0);
        String durability = one.rank() == defaults.rank()
                ? ""
                : ", and " + (one.rank() > defaults.rank() ? "more" : "less") + " durability (" + one.durability()
                        + " instead of " + defaults.durability() + ")";
        return one.throughput().written() + " their " + result.throughput() + ", "
                + one.latency().written() + " their " + latency(result) + durability;
    }

    private static String latency(TuneResult result) {
        return result.latency() + " at " + NumberFormat.rate(result.at());
    }

    private static SearchAnswer answer(TuneResult result) {
        Finalist best = result.better().stream().findFirst().orElse(null);
        String shown = best != null ? gain(result, best) : result.finalists().isEmpty() ? "not known" : "the defaults";
        String note = best == null ? result.reason() : best.name();
        return new SearchAnswer(result.of(), null, null, null, true, shown, shown, note, result.reason());
    }

    private static String gain(TuneResult result, Finalist better) {
        if (better.throughput().above()) {
            return NumberFormat.times(better.throughput().ratio()) + " " + result.throughput();
        }
        return better.latency().below()
                ? NumberFormat.times(better.latency().ratio()) + " " + result.latency()
                : better.durability();
    }

    record TuneChecks(Tree.Section tune, Findings findings) {
        void check(TuneSpec asked, List<LayeredExperiment.LayeredVariant> searched) {
            space(asked);
            at(asked);
            if (!findings.sound("search")) {
                return;
            }
            searched.forEach(laid -> variant(asked, laid));
        }

        private void space(TuneSpec asked) {
            if (tune.has("space") && asked.space().isEmpty()) {
                wrong(
                        "space",
                        "must have at least one property with two values, such as load.producer.linger.ms: [0, 10]");
            }
            asked.space().forEach((path, values) -> {
                if (values.size() < 2) {
                    place(
                            path,
                            "must have at least two values, found '" + values.get(0)
                                    + "'; add a value, or set the property in the variant");
                } else if (values.stream().distinct().count() < values.size()) {
                    place(path, "has the same value twice; remove one");
                }
            });
        }

        private void at(TuneSpec asked) {
            boolean share = asked.at() instanceof RateSpec.OfCapacity c
                    && c.share().share() > 0
                    && c.share().share() < 1;
            boolean fixed = asked.at() instanceof RateSpec.Fixed f && f.rate().perSecond() > 0;
            if (!share && !fixed) {
                wrong(
                        "at",
                        "must be a rate that all settings can carry; write a share of capacity, such as 50% of"
                                + " capacity, or a rate such as 20k/s");
            }
        }

        private void variant(TuneSpec asked, LayeredExperiment.LayeredVariant laid) {
            Variant variant = laid.variant();
            asked.space()
                    .forEach((path, values) -> values.forEach(value -> {
                        String refused = EngineChecks.refused(variant.with(path, value, TUNE));
                        if (!refused.isEmpty()) {
                            place(path, "'" + value + "': " + refused);
                        }
                    }));
            if (variant.load().workload() == LoadSpec.Workload.PRODUCE) {
                asked.space().keySet().stream()
                        .filter(path -> path.startsWith("load.consumer."))
                        .forEach(path -> place(
                                path, "variant '" + variant.name() + "' has no consumers; write workload: deliver"));
            }
            long points =
                    asked.space().values().stream().mapToLong(List::size).reduce(1, (x, y) -> Math.min(x * y, 1 << 20));
            TuneBudget budget = new TuneBudget(asked, points);
            if (budget.least() > TuneBudget.seconds(asked.budget())) {
                wrong(
                        "budget",
                        "must be at least " + text(Duration.ofSeconds((long) Math.ceil(budget.least())))
                                + ", found '" + text(asked.budget()) + "', for trying " + Math.min(points, 6)
                                + " settings and measuring the defaults and two settings four times"
                                + "; write a longer time, or shorten measure and warmup");
            }
        }

        private static String text(Duration duration) {
            long seconds = duration.toSeconds();
            return seconds % 60 == 0 || seconds > 600 ? (seconds + 59) / 60 + "m" : seconds + "s";
        }

        private void wrong(String key, String message) {
            findings.add(tune, TUNE + "." + key, message);
        }

        private void place(String path, String message) {
            Tree.Section space = tune.section("space");
            Tree at = space.entries().getOrDefault(path, space);
            findings.add(space.places().getOrDefault(path, at.origin()), TUNE + ".space." + path, message);
        }
    }
}
