package weir.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import weir.judge.caveat.CaveatCollector;
import weir.plan.CaveatType;
import weir.plan.Experiment;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;

/** The searches of a run: carries out the trials that they choose, and keeps what they found. */
final class Searches {
    private final Experiment experiment;
    private final RunOptions options;
    private final RunFolder folder;
    private final TrialRunner bench;
    private final RunListener listener;
    private final BooleanSupplier over;
    private final Map<String, CapacityResult> found = new LinkedHashMap<>();
    private final List<Exit> promises = new ArrayList<>();
    private final List<Caveat> doubts = new ArrayList<>();
    private boolean whole;

    /** Goes on where an earlier execution of the run stopped. */
    Searches(
            Experiment experiment,
            RunOptions options,
            RunFolder folder,
            TrialRunner bench,
            RunListener listener,
            BooleanSupplier over) {
        this.experiment = experiment;
        this.options = options;
        this.folder = folder;
        this.bench = bench;
        this.listener = listener;
        this.over = over;
        folder.capacities().forEach(result -> found.put(result.of(), result));
    }

    /** One after the other; where one is cut short, so are those after it. */
    void run() {
        whole = false;
        for (SearchSpec.Capacity search : experiment.capacities()) {
            for (Variant variant : experiment.searched(search)) {
                if (!search(search, variant)) {
                    return;
                }
            }
        }
        whole = true;
    }

    /** True when it came to its end. */
    private boolean search(SearchSpec.Capacity asked, Variant variant) {
        CapacityResult earlier = found.get(variant.name());
        List<Attempt> tried = earlier == null ? List.of() : earlier.tried();
        double to = Preflight.searchesTo(asked, options, variant);
        CapacitySearch search = new CapacitySearch(asked, variant, to, tried, bench, listener);
        // A resumed search has to have an answer too when its time is up at once.
        found.put(variant.name(), search.result());
        try {
            if (!search.run(tried() - tried.size(), over, () -> keep(search.result()))) {
                cutShort(variant, search.result().tried().size());
                return false;
            }
            doubts(search.result());
            return true;
        } finally {
            promises.addAll(search.promises());
            bench.searched();
        }
    }

    private void keep(CapacityResult result) {
        found.put(result.of(), result);
        folder.capacities(found());
    }

    private int tried() {
        return found.values().stream().mapToInt(each -> each.tried().size()).sum();
    }

    private void cutShort(Variant variant, int trials) {
        doubts.add(Caveat.of(
                        CaveatType.INTERRUPTED,
                        null,
                        "the search for the capacity of " + variant.name() + " was cut short after "
                                + (trials == 1 ? "one trial" : trials + " trials"))
                .weakening("capacity"));
    }

    /** Takes over the caveats of the trials on both sides of the answer, except those that they were judged by. */
    private void doubts(CapacityResult result) {
        List<Integer> ends = ends(result);
        CaveatCollector of = new CaveatCollector(null);
        List<String> seen = new ArrayList<>();
        if (result.generatorGaveWay()) {
            of.weakening("capacity", CaveatType.GENERATOR_NEAR_ITS_LIMIT, "%s", result.reason());
            seen.add(CaveatType.GENERATOR_NEAR_ITS_LIMIT.word());
        }
        doubts.addAll(of.found());
        for (TrialFolder trial : folder.searched()) {
            if (ends.contains(trial.started().trial())) {
                for (Caveat caveat : trial.caveats()) {
                    if (JUDGED.stream().noneMatch(caveat::is) && !seen.contains(caveat.type())) {
                        seen.add(caveat.type());
                        doubts.add(new Caveat(
                                caveat.type(),
                                caveat.level(),
                                caveat.evidence(),
                                caveat.advice(),
                                "capacity of " + result.of(),
                                null));
                    }
                }
            }
        }
    }

    /** The caveats that a trial was judged by, or that do not matter to one of many. */
    private static final List<CaveatType> JUDGED = List.of(
            CaveatType.GENERATOR_LATE,
            CaveatType.RATE_MISSED,
            CaveatType.NOT_STEADY,
            CaveatType.UNREAD,
            CaveatType.THIN_PERCENTILE);

    /** The trials at the highest rate that was sustained, and at the lowest above it that was not. */
    private static List<Integer> ends(CapacityResult result) {
        double low = Objects.requireNonNullElse(result.rate(), 0.0);
        return result.tried().stream()
                .filter(one -> one.rate() == low || one.rate() == result.next())
                .map(Attempt::trial)
                .toList();
    }

    /**
     * A trial at the rate that it is to run at: a share is of the capacity, and where several were found, of the lowest. Empty
     * when there is none.
     */
    Optional<Trial> rated(Trial trial) {
        if (!(trial.variant().load().rate() instanceof RateSpec.OfCapacity)) {
            return Optional.of(trial);
        }
        List<CapacityResult> results = found();
        if (results.isEmpty() || results.stream().anyMatch(result -> result.rate() == null)) {
            return Optional.empty();
        }
        CapacityResult lowest =
                results.stream().min((a, b) -> Double.compare(rate(a), rate(b))).orElseThrow();
        String origin = "capacity of " + lowest.of() + ", " + NumberFormat.rate(lowest.rate());
        return Optional.of(new Trial(
                trial.number(),
                FixedRateVariant.of(trial.variant(), rate(lowest), origin),
                trial.repeat(),
                trial.search()));
    }

    private static double rate(CapacityResult result) {
        return Objects.requireNonNull(result.rate());
    }

    /** The answers so far, in the order of the variants. */
    List<CapacityResult> found() {
        return List.copyOf(found.values());
    }

    /** The exits that say how Kafka kept its promises meanwhile. */
    List<Exit> promises() {
        return List.copyOf(promises);
    }

    List<Caveat> doubts() {
        return List.copyOf(doubts);
    }

    /** True when every search came to its end. */
    boolean whole() {
        return whole;
    }
}
