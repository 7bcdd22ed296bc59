package weir.feature.partitions;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.feature.SearchKind;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchAnswer;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;

/** The search for the number of partitions that carries a rate. */
final class PartitionsKind implements SearchKind {
    @Override
    public String name() {
        return "partitions";
    }

    @Override
    public String answers() {
        return "partitions";
    }

    @Override
    public Class<PartitionsSpec> asked() {
        return PartitionsSpec.class;
    }

    @Override
    public Class<PartitionsResult> found() {
        return PartitionsResult.class;
    }

    @Override
    public void check(Tree.Section top, List<LayeredExperiment.Laid> searched, Findings findings) {
        new PartitionsChecks(top, searched, findings).check();
    }

    @Override
    public String named(Trial trial) {
        int partitions = trial.variant().usedTopics().values().iterator().next().partitions();
        return trial.variant().name() + ", " + HumanAmount.count(partitions, "partition");
    }

    @Override
    public void estimate(SearchSpec asked, Variant variant, Estimate.Sum sum) {
        PartitionsSpec search = (PartitionsSpec) asked;
        Variant one = PartitionVariant.producing(variant, search);
        Demand demand = new Demand(variant);
        boolean ours = variant.cluster().ours();
        double target = variant.load().senders().operations(search.target(), false);
        // On our own brokers, the search heats and adds partitions at full speed.
        double fastest = ours ? demand.assumed() : target;
        double perSecond = Math.min(target, fastest);
        sum.add(search.ofOne(one), one, perSecond, fastest);
        double adding = search.warmup().plus(search.measure()).toMillis() / 1e3;
        double carrying = search.warmup().plus(search.trying()).toMillis() / 1e3;
        double added = PartitionVariant.LOADS * adding;
        double written = added * fastest
                + perSecond
                        * (PartitionVariant.MOST_READS * PartitionVariant.READ_SECONDS
                                + PartitionVariant.MOST_CARRIED * carrying);
        double largest = Math.max(Math.max(PartitionVariant.READ_SECONDS, carrying) * perSecond, adding * fastest);
        sum.add(
                demand,
                PartitionVariant.READS + PartitionVariant.LOADS + PartitionVariant.CARRIED,
                PartitionVariant.READS * PartitionVariant.READ_SECONDS + added + PartitionVariant.CARRIED * carrying,
                written,
                largest,
                !ours);
    }

    @Override
    public AdaptiveSearch open(SearchSpec asked, Variant variant, double to, AdaptiveSearches run) {
        return new PartitionSearch((PartitionsSpec) asked, variant, to, run);
    }

    @Override
    public List<String> scope(SearchResults all) {
        List<PartitionsResult> found = all.of(PartitionsResult.class);
        int tried = found.stream().mapToInt(result -> result.tried().size()).sum();
        return found.isEmpty()
                ? List.of()
                : List.of(tried == 1 ? "one trial for partitions" : tried + " trials for partitions");
    }

    @Override
    public List<List<String>> sentences(SearchResults all) {
        return SearchAnswers.sentences(all.of(PartitionsResult.class));
    }

    @Override
    public List<SearchAnswer> figures(SearchResults all) {
        return all.of(PartitionsResult.class).stream()
                .map(result -> new SearchAnswer(
                        result.of(),
                        number(result.partitions()),
                        number(result.low()),
                        number(result.high()),
                        result.calculated(),
                        SearchAnswers.number(result),
                        result.partitions() == null ? "not known" : String.valueOf(result.partitions()),
                        result.low() == null
                                ? result.reason()
                                : "for " + result.target() + ", interval " + SearchAnswers.interval(result),
                        result.reason()))
                .toList();
    }

    private static @Nullable Double number(@Nullable Integer whole) {
        return whole == null ? null : Double.valueOf(whole);
    }
}
