package weir.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.judge.AttemptJudge;
import weir.judge.caveat.CaveatCollector;
import weir.judge.trial.JudgedTrial;
import weir.plan.CaveatType;
import weir.plan.Expectation;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.plan.trial.FixedRateVariant;
import weir.plan.trial.PartitionVariant;
import weir.plan.trial.Trial;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.NumberFormat;
import weir.results.value.PartitionTrial;
import weir.results.value.PartitionsResult;
import weir.results.value.SearchResult;

/**
 * The search for the number of partitions that carries a rate T: what one takes ({@link CapacitySearch}, P), what one
 * consumer reads of one (C), whether one, two, four and eight of them add, and then the number that follows
 * ({@link PartitionSizing}), and one less, with the whole load at T, or at the part of T that this machine carries.
 */
public final class PartitionSearch implements AdaptiveSearch {
    private static final String WHAT = "partitions";

    /** Seconds that writing the records of a read may take, and that reading them should. */
    private static final double WRITING = 6;

    private static final double READING = 1.5;
    private static final double FIRST_WRITING = 2;
    private static final int FEWEST_RECORDS = 100;

    /** The part of what was carried as fast as it goes that may be expected of a paced load. */
    private static final double PACED = 0.9;

    /** Trials with the whole load: numbers that contradict the calculation are followed so far. */
    private static final int MOST_CARRYING = 8;

    private static final int REFUSALS = 2;

    /** Reads after which a consumer that has read nothing will not. */
    private static final int MOST_READS = 2 * PartitionSizing.READS;

    private final SearchSpec.Partitions asked;
    private final Variant variant;
    private final double target;
    private final double to;
    private final int before;
    private final CapacitySearch producing;
    private final List<PartitionTrial> reading;
    private final List<PartitionTrial> adding;
    private final List<PartitionTrial> carrying;

    /**
     * Goes on where an earlier execution of the run stopped.
     *
     * @param to the highest rate that may be tried, in operations per second
     * @param before the number of trials of the run's other searches
     * @param earlier result of the same search; it is new without any
     * @param caveats of its trials, by their numbers
     */
    public PartitionSearch(
            SearchSpec.Partitions asked,
            Variant variant,
            double to,
            int before,
            Optional<PartitionsResult> earlier,
            Map<Integer, List<Caveat>> caveats) {
        this.asked = asked;
        this.variant = variant;
        this.target = Demand.operations(asked.target(), false, variant.load());
        this.to = Math.min(target, to);
        this.before = before;
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
        this.carrying = new ArrayList<>(earlier.map(PartitionsResult::carrying).orElse(List.of()));
    }

    /** One trial behind those for P. */
    private record Step(Kind kind, int partitions, double rate, long records, String why) {}

    private enum Kind {
        READING,
        ADDING,
        CARRYING
    }

    @Override
    public Next next() {
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

    private boolean adds() {
        return found(producing.result(), null, null, null, null, "").adds();
    }

    /** As fast as it goes where that is allowed: on brokers of our own, and without a bound. */
    private double fastest() {
        return to < target || !variant.cluster().ours() ? to : Double.POSITIVE_INFINITY;
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
            return reading.size() >= MOST_READS
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
            return new Step(Kind.ADDING, loads, fastest(), 0, "do partitions add?");
        }
        double rate = tried(share(adds()));
        int number = carryingNext(sizing, rate);
        return number == 0 ? null : new Step(Kind.CARRYING, number, rate, 0, why(sizing.partitions(rate), number));
    }

    private static String why(int calculated, int number) {
        String many = number == 1 ? "1 partition" : number + " partitions";
        return number < calculated ? "are " + many + " too few?" : "do " + many + " sustain it?";
    }

    private boolean known(CapacityResult one) {
        return PartitionSizing.known(one, target, reads());
    }

    /** The reads that count, in operations per second. */
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

    /** The part of the rate that can be tried here: all of it, unless more partitions have shown not to carry more. */
    private double share(boolean adds) {
        double most = adds
                ? to
                : Math.min(
                        to,
                        PACED
                                * adding.stream()
                                        .map(PartitionTrial::carried)
                                        .filter(Objects::nonNull)
                                        .mapToDouble(Double::doubleValue)
                                        .max()
                                        .orElse(to));
        return most >= target ? 1 : most / target;
    }

    private double tried(double share) {
        return share == 1 ? target : FixedRateVariant.rounded(target * share);
    }

    /** The number that is tried next; zero when the smallest that sustains the rate is known, or none is found. */
    private int carryingNext(PartitionSizing sizing, double rate) {
        int number = sizing.partitions(rate);
        if (carrying.size() >= MOST_CARRYING) {
            return 0;
        }
        if (refused(number)) {
            int most = Math.max(number, sizing.high(rate));
            for (int more = number + 1; more <= most; more++) {
                if (!refused(more)) {
                    return held(more) ? 0 : more;
                }
            }
            return 0;
        }
        while (number > 0 && held(number)) {
            number--;
        }
        return number == 0 || refused(number) ? 0 : number;
    }

    private boolean held(int partitions) {
        long sustained = sustained(partitions, true);
        return sustained > 0 && sustained >= sustained(partitions, false) + (sustained(partitions, false) > 0 ? 1 : 0);
    }

    /** One that is refused by chance is sustained when it is tried again. */
    private boolean refused(int partitions) {
        return sustained(partitions, false) >= REFUSALS && !held(partitions);
    }

    private long sustained(int partitions, boolean sustained) {
        return carrying.stream()
                .filter(trial -> trial.partitions() == partitions && trial.sustained() == sustained)
                .count();
    }

    @Override
    public Optional<SearchResult> told(JudgedTrial trial) {
        if (!(producing.next() instanceof Next.Done)) {
            return producing.told(trial).map(found -> result());
        }
        Step step = Objects.requireNonNull(step());
        Figures figures = trial.result().figures();
        int number = before + tried() + 1;
        @Nullable Double carried = carried(step, figures);
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
                carried == null ? "nothing came through" : "");
        @Nullable Double offered = Double.isInfinite(step.rate) ? null : Double.valueOf(step.rate);
        (step.kind == Kind.READING ? reading : adding)
                .add(new PartitionTrial(step.partitions, offered, carried, attempt));
        return Optional.of(result());
    }

    /** Operations per second, of which each is one record. */
    private static @Nullable Double carried(Step step, Figures figures) {
        return step.kind == Kind.READING ? figures.receivedPerSecond() : figures.ackedPerSecond();
    }

    @Override
    public PartitionsResult result() {
        CapacityResult one = producing.result();
        boolean sized = one.rate() != null && known(one);
        if (!sized) {
            String why = one.rate() == null
                    ? one.reason()
                    : reading.size() >= MOST_READS
                            ? "a consumer read nothing of a partition in " + reading.size() + " trials"
                            : "the search was cut short before a consumer had read";
            return found(one, null, null, null, null, why);
        }
        PartitionSizing sizing = sizing(one);
        int all = sizing.partitions(target);
        double share = share(adds());
        double rate = tried(share);
        int low = sizing.low(target);
        @Nullable Integer high = sizing.high(target);
        List<Integer> refused = carrying.stream()
                .map(PartitionTrial::partitions)
                .filter(this::refused)
                .distinct()
                .sorted()
                .toList();
        Optional<Integer> least = carrying.stream()
                .map(PartitionTrial::partitions)
                .filter(this::held)
                .min(Comparator.naturalOrder());
        String why = why(refused, least);
        if (share < 1 || carrying.isEmpty()) {
            return found(one, carrying.isEmpty() ? null : Double.valueOf(rate / target), all, low, high, why);
        }
        if (least.isPresent()) {
            int answer = least.get();
            return found(one, 1.0, answer, Math.min(low, answer), Math.max(high, answer), why);
        }
        // The calculation is refuted, and nobody knows by how much.
        return refused.isEmpty()
                ? found(one, 1.0, all, low, high, why)
                : found(one, 1.0, null, refused.get(refused.size() - 1) + 1, null, why);
    }

    /** Why one less is too few, or why nothing sustained it. */
    private String why(List<Integer> refused, Optional<Integer> least) {
        if (carrying.isEmpty()) {
            return "the search was cut short before a number was tried";
        }
        int below = least.map(number -> number - 1).orElse(refused.isEmpty() ? 0 : refused.get(refused.size() - 1));
        String reasons = carrying.stream()
                .filter(trial -> trial.partitions() == below && !trial.sustained())
                .map(trial -> trial.tried().why())
                .reduce((earlier, later) -> later)
                .orElse("");
        return reasons.isEmpty() ? "" : "with " + below + " " + reasons;
    }

    private PartitionsResult found(
            CapacityResult one,
            @Nullable Double share,
            @Nullable Integer partitions,
            @Nullable Integer low,
            @Nullable Integer high,
            String reason) {
        double[] reads = reads();
        @Nullable GeometricMean mean = reads.length == 0 ? null : GeometricMean.of(reads);
        boolean matters = mean != null && reads.length >= PartitionSizing.READS;
        return new PartitionsResult(
                variant.name(),
                asked.target().text(),
                target,
                asked.limits().stream().map(Expectation::text).toList(),
                one,
                reading,
                mean == null ? null : Double.valueOf(mean.mean()),
                mean == null || !matters ? null : Double.valueOf(mean.low()),
                mean == null || !matters ? null : Double.valueOf(mean.high()),
                adding,
                carrying,
                share,
                partitions,
                low,
                high,
                reason);
    }

    @Override
    public List<Caveat> caveats() {
        CaveatCollector own = new CaveatCollector(null);
        if (!(next() instanceof Next.Done)) {
            own.weakening(
                    WHAT,
                    CaveatType.INTERRUPTED,
                    "the search for the partitions of %s was cut short after %s",
                    variant.name(),
                    tried() == 1 ? "one trial" : tried() + " trials");
            return own.found();
        }
        List<Caveat> all = new ArrayList<>(producing.caveats());
        PartitionsResult result = result();
        @Nullable PartitionTrial many = result.most();
        if (many != null && !result.adds()) {
            own.add(
                    CaveatType.PARTITIONS_DO_NOT_ADD,
                    "%d partitions carried %s, %s of %d times what one did",
                    many.partitions(),
                    NumberFormat.rate(many.carried()),
                    NumberFormat.percent(result.added(many)),
                    many.partitions());
        }
        all.addAll(own.found());
        return all;
    }
}
