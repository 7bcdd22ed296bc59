package weir.feature.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.cli.terminal.HumanAmount;
import weir.feature.SearchKind;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.judge.Capacities;
import weir.plan.SearchSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;
import weir.plan.trial.Demand;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchAnswer;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.TriedNumbers;

/** The search for the number of partitions that sustains a rate. */
record PartitionsKind(String name, String answers, Class<PartitionsSpec> asked, Class<PartitionsResult> found)
        implements SearchKind {
    PartitionsKind() {
        this("partitions", "partitions", PartitionsSpec.class, PartitionsResult.class);
    }

    @Override
    public void check(Tree.Section top, List<LayeredExperiment.LayeredVariant> searched, Findings findings) {
        Origin asked = top.section("search").section(name()).origin();
        for (LayeredExperiment.LayeredVariant laid : searched) {
            String why = refused(laid.variant());
            if (!why.isEmpty()) {
                findings.add(
                        asked, "search." + name(), "variant '" + laid.variant().name() + "' " + why);
            }
        }
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
        boolean ours = variant.cluster().startedByWeir();
        double target = variant.load().senders().operations(search.carried(), false);
        // On Weir's own brokers, the search warms up and adds partitions at full speed.
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
    public List<List<String>> sentences(SearchResults all) {
        List<PartitionsResult> found = all.of(PartitionsResult.class);
        return found.stream()
                .flatMap(result -> sentences(result, found.size() > 1 ? NumberFormat.quoted(result.of()) + ": " : ""))
                .toList();
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
                        result.written(),
                        result.partitions() == null ? "not known" : String.valueOf(result.partitions()),
                        result.low() == null
                                ? result.reason()
                                : "for " + result.target() + ", interval " + result.interval(),
                        result.reason()))
                .toList();
    }

    private static @Nullable Double number(@Nullable Integer whole) {
        return whole == null ? null : Double.valueOf(whole);
    }

    private static Stream<List<String>> sentences(PartitionsResult result, String of) {
        if (result.low() == null) {
            return Stream.of(List.of(of + "The number of partitions that carries " + result.target() + " is unknown: "
                    + result.reason()));
        }
        List<String> sentences = new ArrayList<>();
        // A file may have a rate in operations or bytes; all other rates here are in operations.
        boolean bytes = result.target().endsWith("B/s");
        String target = result.target() + (bytes ? " (" + NumberFormat.rate(result.rate()) + ")" : "");
        sentences.add(
                result.partitions() == null
                        ? "More than " + HumanAmount.count(result.low() - 1, "partition") + " would be needed for "
                                + target
                        : target + " needs " + HumanAmount.count(result.partitions(), "partition") + " "
                                + result.interval());
        CapacityResult one = result.producing();
        sentences.add("one partition accepts " + NumberFormat.rate(one.rate()) + " " + Capacities.interval(one)
                + (result.consuming() == null
                        ? ""
                        : ", and one consumer reads " + NumberFormat.rate(result.consuming()) + " from it"));
        String tried = tried(result);
        if (!tried.isEmpty()) {
            sentences.add(tried);
        }
        if (!result.reason().isEmpty()) {
            sentences.add(result.reason());
        }
        sentences.set(0, of + sentences.get(0));
        // If the machine is the limit, the reason already contains this text.
        String grown = result.calculated() && !result.adds() ? "" : result.grown();
        return grown.isEmpty() ? Stream.of(sentences) : Stream.of(sentences, List.of("At full speed, " + grown));
    }

    private static String tried(PartitionsResult result) {
        TriedNumbers<PartitionTrial> trials = new TriedNumbers<>(result.carrying());
        Double share = result.share();
        if (trials.isEmpty() || share == null) {
            return "";
        }
        String numbers = trials.all().stream()
                .map(PartitionTrial::partitions)
                .distinct()
                .sorted()
                .map(number -> number + came(trials, number))
                .collect(Collectors.joining(", "));
        return share == 1
                ? "tried, " + numbers
                : "tried at " + NumberFormat.rate(result.rate() * share) + ", the " + NumberFormat.share(share)
                        + " of the rate that this machine carries: " + numbers;
    }

    private static String came(TriedNumbers<PartitionTrial> trials, int partitions) {
        if (trials.held(partitions)) {
            return " sustained it";
        }
        return trials.count(partitions, Attempt.Outcome.REFUSED) > 0
                ? " did not"
                : " did not get it on time from the generator";
    }

    private static String refused(Variant variant) {
        Map<String, TopicSpec> topics = variant.usedTopics();
        if (topics.size() != 1) {
            return "uses the topics " + String.join(", ", topics.keySet())
                    + ", but the search is for one topic; name one topic in load.topics";
        }
        String name = topics.keySet().iterator().next();
        TopicSpec topic = topics.values().iterator().next();
        return topic.count() == 1
                ? ""
                : "uses " + topic.count() + " topics '" + name + "', but the search is for one topic; remove topics."
                        + name + ".count";
    }
}
