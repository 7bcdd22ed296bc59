package weir.feature.partitions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.judge.AttemptJudge;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.GeneratorCaveats;
import weir.judge.trial.JudgedTrial;
import weir.measure.Interval;
import weir.measure.Known;
import weir.plan.Expectation;
import weir.plan.LoadSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.Trial;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults.SearchResult;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.AnswerCaveats;
import weir.search.CapacitySearch;
import weir.search.TriedNumbers;

/**
 * The search for the number of partitions that sustains a rate T. It measures the rate P that one partition accepts
 * ({@link CapacitySearch}) and the rate C at which one consumer reads a partition. It tests whether two partitions
 * accept 2P, four accept 4P and eight accept 8P. {@link PartitionSizing} calculates the number from T, P and C. Then
 * the search tries this number and one partition less, at T or at the share of T that this machine can generate.
 */
public final class PartitionSearch implements AdaptiveSearch {
    private static final CaveatType PARTITIONS_DO_NOT_ADD = CaveatType.named("partitions-do-not-add");

    private static final String WHAT = "partitions";

    /** The limit in seconds for writing the records of a read, and the target duration of the read. */
    private static final double WRITING = 6;

    private static final double READING = 1.5;
    private static final double FIRST_WRITING = 2;
    private static final int FEWEST_RECORDS = 100;

    private static final double PACED = 0.9;

    private static final String CALCULATED = "calculated only: ";

    private static final double ROUNDING = 1e-6;

    private final PartitionsSpec asked;
    private final Variant variant;
    private final double target;
    private final double to;
    private final int before;
    private final CapacitySearch producing;
    private final List<PartitionTrial> reading;
    private final List<PartitionTrial> adding;
    private final TriedNumbers<PartitionTrial> carrying;
    private boolean cold;

    /** @param to highest allowed rate, in operations per second */
    public PartitionSearch(PartitionsSpec asked, Variant variant, double to, AdaptiveSearches run) {
        Optional<PartitionsResult> earlier = run.before(PartitionsResult.class, variant);
        Map<Integer, List<Caveat>> caveats = run.caveats();
        this.asked = asked;
        this.variant = variant;
        this.target = variant.load().senders().operations(asked.carried(), false);
        this.to = Math.min(target, to);
        this.before = run.earlier().tried()
                - earlier.map(result -> result.tried().size()).orElse(0);
        Variant one = PartitionVariant.producing(variant, asked);
        this.producing = new CapacitySearch(
                asked.ofOne(one),
                one,
                this.to,
                fastest(),
                before,
                earlier.map(result -> result.producing().tried()).orElse(List.of()),
                caveats);
        this.reading = new ArrayList<>(earlier.map(PartitionsResult::reading).orElse(List.of()));
        this.adding = new ArrayList<>(earlier.map(PartitionsResult::adding).orElse(List.of()));
        this.carrying =
                new TriedNumbers<>(earlier.map(PartitionsResult::carrying).orElse(List.of()));
        // The search for P warms up before its own trials. If an earlier execution found P, the system is still cold.
        this.cold = asked.ofOne(one).warmsUp(one) && producing.next() instanceof Next.Done;
    }

    private record Step(Kind kind, int partitions, double rate, long records, String why) {}

    private enum Kind {
        READING,
        ADDING,
        CARRYING
    }

    @Override
    public Next next() {
        Next next = warmedUp();
        if (!cold || next instanceof Next.Done) {
            return next;
        }
        Variant one = PartitionVariant.producing(variant, asked);
        SearchSpec.Capacity ofOne = asked.ofOne(one);
        Variant hot = FixedRateVariant.warmUp(one, ofOne, fastest(), ofOne.warmUpLength());
        return new Next.Run(Trial.warmUp(hot, 1, WHAT), fastest(), "");
    }

    Next warmedUp() {
        Next first = producing.next();
        if (!(first instanceof Next.Done)) {
            return first;
        }
        Step step = step();
        if (step == null) {
            return new Next.Done();
        }
        int number = tried() + 1;
        Variant at = switch (step.kind) {
            case READING -> PartitionVariant.reading(variant, step.records);
            case ADDING -> PartitionVariant.adding(variant, asked, step.partitions, step.rate);
            case CARRYING -> PartitionVariant.carrying(variant, asked, step.partitions, step.rate);
        };
        return new Next.Run(new Trial(before + number, at, number, WHAT), step.rate, step.why);
    }

    private double fastest() {
        return to < target || !variant.cluster().startedByWeir() ? to : Double.POSITIVE_INFINITY;
    }

    private int tried() {
        return producing.result().tried().size() + reading.size() + adding.size() + carrying.size();
    }

    private @Nullable Step step() {
        CapacityResult one = producing.result();
        if (one.rate() == null) {
            return null;
        }
        if (!known(one)) {
            return reading.size() >= PartitionVariant.MOST_READS
                    ? null
                    : new Step(
                            Kind.READING,
                            1,
                            Double.POSITIVE_INFINITY,
                            toRead(one.rate()),
                            "how fast is one partition read?");
        }
        PartitionSizing sizing = sizing(one);
        int all = sizing.partitions(target);
        int loads = adding.isEmpty() ? 1 : adding.get(adding.size() - 1).partitions() * 2;
        if (all > 1 && loads <= PartitionVariant.MOST_LOADS && (loads <= 2 || loads < 2 * all)) {
            return new Step(Kind.ADDING, loads, fastest(), 0, "does the rate grow with the partitions?");
        }
        double rate = tried(share(sizing, soFar().adds()));
        int number = number(sizing, rate);
        String many = number == 1 ? "1 partition" : number + " partitions";
        String why =
                number < sizing.partitions(rate) ? "are " + many + " too few?" : "do " + many + " sustain the rate?";
        return number == 0 ? null : new Step(Kind.CARRYING, number, rate, 0, why);
    }

    /** Returns the next number of partitions to try; zero if the answer is known or cannot be found. */
    private int number(PartitionSizing sizing, double rate) {
        int number = sizing.partitions(rate);
        if (carrying.size() >= PartitionVariant.MOST_CARRIED) {
            return 0;
        }
        if (carrying.refused(number)) {
            int most = Math.max(number, sizing.high(rate));
            for (int more = number + 1; more <= most; more++) {
                if (!carrying.refused(more)) {
                    return carrying.held(more) || carrying.generatorRefused(more) ? 0 : more;
                }
            }
            return 0;
        }
        while (number > 0 && carrying.held(number)) {
            number--;
        }
        return number == 0 || carrying.refused(number) || carrying.generatorRefused(number) ? 0 : number;
    }

    private boolean known(CapacityResult one) {
        return PartitionSizing.known(one, target, reads());
    }

    private double[] reads() {
        return reading.stream()
                .skip(1)
                .map(PartitionTrial::carried)
                .filter(carried -> carried != null && carried > 0)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private long toRead(double produced) {
        @Nullable Double last = reading.isEmpty() ? null : reading.get(reading.size() - 1).carried();
        double records = last == null ? FIRST_WRITING * produced : Math.min(READING * last, WRITING * produced);
        return Math.max(FEWEST_RECORDS, Math.round(records));
    }

    private PartitionSizing sizing(CapacityResult one) {
        return PartitionSizing.of(one, reads());
    }

    /**
     * The share of the rate that this machine can try. It is below 1 if more partitions accept no more, or if the
     * consumers, at most those of {@value PartitionVariant#MOST_LOADS} partitions, cannot read more.
     */
    private double share(PartitionSizing sizing, boolean adds) {
        @Nullable Double carried = Known.most(adding, PartitionTrial::carried);
        double most = adds || carried == null ? to : Math.min(to, PACED * carried);
        boolean reads = variant.load().workload() != LoadSpec.Workload.PRODUCE;
        if (reads && sizing.partitions(most) > PartitionVariant.MOST_LOADS) {
            most = Math.min(
                    most,
                    PACED
                            * PartitionVariant.MOST_LOADS
                            * Interval.ofMean(reads()).value());
        }
        return most >= target ? 1 : most / target;
    }

    private double tried(double share) {
        return share == 1 ? target : FixedRateVariant.rounded(target * share);
    }

    @Override
    public Optional<SearchResult> add(JudgedTrial trial) {
        if (!(producing.next() instanceof Next.Done)) {
            return producing.add(trial).map(found -> result());
        }
        if (cold) {
            cold = false;
            return Optional.empty();
        }
        Step step = Objects.requireNonNull(step());
        Figures figures = trial.result().figures();
        int number = before + tried() + 1;
        @Nullable Double carried = step.kind == Kind.READING ? figures.receivedPerSecond() : figures.ackedPerSecond();
        if (step.kind == Kind.CARRYING) {
            Attempt attempt = new AttemptJudge(asked.limits()).of(number, step.rate, trial, trial.caveats());
            carrying.add(new PartitionTrial(step.partitions, step.rate, carried, attempt));
            return Optional.of(result());
        }
        Attempt attempt = new Attempt(
                number,
                Objects.requireNonNullElse(carried, 0.0),
                trial.result().seconds(),
                carried == null ? Attempt.Outcome.REFUSED : Attempt.Outcome.SUSTAINED,
                carried == null ? "no record arrived" : "");
        @Nullable Double offered = Double.isInfinite(step.rate) ? null : Double.valueOf(step.rate);
        (step.kind == Kind.READING ? reading : adding)
                .add(new PartitionTrial(step.partitions, offered, carried, attempt));
        return Optional.of(result());
    }

    @Override
    public PartitionsResult result() {
        CapacityResult one = producing.result();
        boolean sized = one.rate() != null && known(one);
        if (!sized) {
            String why = one.rate() == null
                    ? one.reason()
                    : reading.size() >= PartitionVariant.MOST_READS
                            ? "a consumer read no record of a partition in " + reading.size() + " trials"
                            : "the search ended before a consumer read a record";
            return found(one, null, null, null, null, false, why);
        }
        PartitionSizing sizing = sizing(one);
        int all = sizing.partitions(target);
        int low = sizing.low(target);
        int high = sizing.high(target);
        if (carrying.isEmpty()) {
            return found(one, null, all, low, high, true, CALCULATED + "the search ended before trials with it");
        }
        boolean adds = soFar().adds();
        double share = tried(share(sizing, adds)) / target;
        @Nullable Integer least = carrying.least();
        if (!adds && (share < 1 || least == null)) {
            return found(one, share, all, low, high, true, CALCULATED + "this machine is the limit" + grown());
        }
        int most = carrying.refusedBelow(least);
        if (least == null) {
            // The trials refute the calculation by an unknown amount, or are undecided.
            return most == 0
                    ? found(one, share, all, low, high, true, CALCULATED + carrying.undecided())
                    : found(one, share, null, scaled(most, share) + 1, null, false, carrying.why(most));
        }
        // Scaled to the target rate, because the trials ran with only a share of this rate.
        int enough = (int) Math.ceil(least / share - ROUNDING);
        int answer = Math.max(Math.min(all, enough), scaled(most, share) + 1);
        boolean proven = least == 1 || most == least - 1;
        int lower = proven ? Math.min(low, answer) : answer >= low ? low : 1;
        int upper = Math.max(high, answer > all ? enough : answer);
        return found(
                one, share, answer, lower, upper, false, proven ? carrying.why(most) : carrying.stopped(least - 1));
    }

    private static int scaled(int partitions, double share) {
        return (int) Math.floor(partitions / share + ROUNDING);
    }

    private String grown() {
        String grown = soFar().grown();
        return grown.isEmpty() ? "" : ", " + grown;
    }

    private PartitionsResult soFar() {
        return found(producing.result(), null, null, null, null, false, "");
    }

    private PartitionsResult found(
            CapacityResult one,
            @Nullable Double share,
            @Nullable Integer partitions,
            @Nullable Integer low,
            @Nullable Integer high,
            boolean calculated,
            String reason) {
        double[] reads = reads();
        @Nullable Interval mean = reads.length == 0 ? null : Interval.ofMean(reads);
        boolean matters = mean != null && reads.length >= PartitionSizing.READS;
        return new PartitionsResult(
                variant.name(),
                asked.carried().text(),
                target,
                asked.limits().stream().map(Expectation::text).toList(),
                one,
                reading,
                mean == null ? null : Double.valueOf(mean.value()),
                mean == null || !matters ? null : Double.valueOf(mean.low()),
                mean == null || !matters ? null : Double.valueOf(mean.high()),
                adding,
                carrying.all(),
                share,
                partitions,
                low,
                high,
                calculated,
                reason);
    }

    @Override
    public List<Caveat> caveats() {
        if (!(next() instanceof Next.Done)) {
            return AnswerCaveats.cutShort(WHAT, "the partitions of " + variant.name(), tried());
        }
        CaveatCollector own = new CaveatCollector(null);
        List<Caveat> all = new ArrayList<>(producing.caveats());
        PartitionsResult result = result();
        @Nullable PartitionTrial many = result.most();
        if (many != null && !result.adds()) {
            String share = NumberFormat.percent(result.added(many));
            String carried = NumberFormat.rate(many.carried());
            own.add(PARTITIONS_DO_NOT_ADD, many.partitions(), carried, share);
        }
        String late = carrying.limitedByGenerator();
        if (!late.isEmpty()) {
            own.found(GeneratorCaveats.GENERATOR_NEAR_ITS_LIMIT, "the generator is the limit: " + late, "partitions");
        }
        all.addAll(own.found());
        return all;
    }

    /**
     * The calculated number of partitions for the rate T: {@code ⌈max(T / P, T / C)⌉}. P is the rate that one partition
     * accepts. C is the rate at which one consumer reads. If the intervals of P and C contain the true rates, the
     * interval of the number contains the true number.
     *
     * @param produced P, in operations per second
     * @param consumed C, in operations per second; infinite if it is far higher than P
     */
    record PartitionSizing(Interval produced, Interval consumed) {
        private static final Interval ENDLESS =
                new Interval(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

        static final int READS = 4;

        private static final double FAR_MORE = 2;

        private static final double NOTHING = 1e-9;

        static boolean known(CapacityResult one, double target, double... reads) {
            double most = Objects.requireNonNullElse(one.high(), Objects.requireNonNullElse(one.rate(), 0.0));
            return reads.length >= READS
                    || (reads.length > 0
                            && Arrays.stream(reads).allMatch(read -> read > FAR_MORE * Math.min(target, most)));
        }

        static PartitionSizing of(CapacityResult one, double... reads) {
            double rate = Objects.requireNonNull(one.rate());
            Interval produced = new Interval(
                    rate,
                    Objects.requireNonNullElse(one.low(), rate),
                    Objects.requireNonNullElse(one.high(), Double.POSITIVE_INFINITY));
            if (reads.length < READS) {
                return new PartitionSizing(produced, ENDLESS);
            }
            return new PartitionSizing(produced, Interval.ofMean(reads));
        }

        int partitions(double target) {
            return number(target, Math.min(produced.value(), consumed.value()));
        }

        int low(double target) {
            return number(target, Math.min(produced.high(), consumed.high()));
        }

        int high(double target) {
            return number(target, Math.min(produced.low(), consumed.low()));
        }

        private static int number(double target, double one) {
            return (int) Math.min(Integer.MAX_VALUE, Math.max(1, Math.ceil(target / one * (1 - NOTHING))));
        }
    }
}
