package weir.feature.readers;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.feature.SearchKind;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchAnswer;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;

/** The search for the smallest number of consumers that carries a rate. */
record ConsumersSearchKind(String name, String answers, Class<ConsumersSearchSpec> asked, Class<ConsumersFound> found)
        implements SearchKind {
    /** The usual number of trials: two refuse a number, and two sustain the next one. */
    private static final int USUAL = 4;

    ConsumersSearchKind() {
        this("consumers", "consumers", ConsumersSearchSpec.class, ConsumersFound.class);
    }

    @Override
    public String named(Trial trial) {
        return trial.variant().name() + ", "
                + HumanAmount.count(trial.variant().load().consumers().count(), ConsumersFound.CONSUMER);
    }

    @Override
    public void estimate(SearchSpec asked, Variant variant, Estimate.Sum sum) {
        ConsumersSearchSpec search = (ConsumersSearchSpec) asked;
        double rate = variant.load().senders().operations(search.carried(), false);
        double seconds = search.warmup()
                        .plus(FixedRateVariant.length(search.paced(), rate, search.measure()))
                        .toMillis()
                / 1e3;
        double hot = search.paced().warmUpLength().toMillis() / 1e3;
        Demand demand = new Demand(variant.onSharedBrokers("search"));
        sum.start(demand);
        sum.add(
                demand,
                USUAL,
                hot + USUAL * seconds,
                rate * (hot + ConsumersSearch.MOST_TRIALS * seconds),
                rate * Math.max(hot, seconds),
                true);
    }

    @Override
    public AdaptiveSearch open(SearchSpec asked, Variant variant, double to, AdaptiveSearches run) {
        return new ConsumersSearch((ConsumersSearchSpec) asked, variant, to, run);
    }

    @Override
    public List<List<String>> sentences(SearchResults all) {
        List<ConsumersFound> found = all.of(ConsumersFound.class);
        return found.stream()
                .map(result -> {
                    List<String> clauses = result.clauses();
                    if (found.size() > 1) {
                        clauses.set(0, NumberFormat.quoted(result.of()) + ": " + clauses.get(0));
                    }
                    return clauses;
                })
                .toList();
    }

    @Override
    public List<SearchAnswer> figures(SearchResults all) {
        return all.of(ConsumersFound.class).stream()
                .map(result -> new SearchAnswer(
                        result.of(),
                        number(result.consumers()),
                        result.refused() == null ? number(result.consumers()) : number(result.refused() + 1),
                        number(result.consumers()),
                        false,
                        result.consumers() == null ? NumberFormat.MISSING : String.valueOf(result.consumers()),
                        result.consumers() == null ? "not known" : String.valueOf(result.consumers()),
                        "for " + NumberFormat.rate(result.rate()),
                        result.reason()))
                .toList();
    }

    private static @Nullable Double number(@Nullable Integer whole) {
        return whole == null ? null : Double.valueOf(whole);
    }
}
