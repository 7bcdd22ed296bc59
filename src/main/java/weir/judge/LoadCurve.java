package weir.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Median;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialResult;

/**
 * The behaviour of one variant at each offered rate, step by step. A figure is the median over the variant's trials.
 * The numbers of failed and lost messages are those of the worst trial. The page
 * docs/explanation/steady-and-sustained.md has the rules for the verdicts.
 *
 * @param cold the rising steps that missed their rate before the system was warm; they do not end the curve
 */
public record LoadCurve(String variant, List<Point> points, List<Cold> cold) {
    public LoadCurve {
        points = List.copyOf(points);
        cold = List.copyOf(cold);
    }

    /**
     * One step over all trials.
     *
     * @param onItsWay the share of the offered messages that came after the end of the step
     */
    public record Point(
            int step,
            String label,
            double rate,
            double seconds,
            double achievedPerSecond,
            double achieved,
            double onItsWay,
            LatencyResult response,
            long failed,
            StepState state,
            String why,
            List<StepResult> repeats) {
        public Point {
            repeats = List.copyOf(repeats);
        }

        private boolean notCarried() {
            return state != StepState.SUSTAINED
                    && state != StepState.UNFINISHED
                    && !RateRule.sustained(achieved, onItsWay, seconds);
        }

        /** The latency of the step: the median over the trials, a lower bound if any trial has a lower bound. */
        public LatencyResult latency(Function<Figures, LatencyResult> which) {
            return LatencyResult.median(repeats, step -> which.apply(step.figures()));
        }

        public @Nullable Long worst(Function<Figures, @Nullable Long> count) {
            return Known.most(repeats, step -> count.apply(step.figures()));
        }

        /** The achieved share in words. For a sustained step, the text separates late from missing messages. */
        public String achievement() {
            boolean later = state == StepState.SUSTAINED && !RateRule.sustained(achieved);
            return NumberFormat.percent(achieved)
                    + (later ? ", " + NumberFormat.share(onItsWay) + " unanswered at the end" : "");
        }

        /** {@code sustained}, {@code degraded} or {@code broken}; a recovery adds its time in the slowest trial. */
        public String outcome() {
            String word = state.word();
            if (verdicts().stream().noneMatch(StepVerdict::recovery) || state == StepState.UNFINISHED) {
                return word;
            }
            boolean all = verdicts().stream().allMatch(verdict -> verdict.recoveredAfter() != null);
            Double after = all ? Known.most(verdicts(), StepVerdict::recoveredAfter) : null;
            return new StepVerdict(state, why, List.of(), true, after).text();
        }

        private List<StepVerdict> verdicts() {
            return Known.all(repeats, StepResult::verdict).toList();
        }
    }

    public static LoadCurve of(String variant, List<TrialResult> trials, List<Caveat> caveats) {
        List<TrialResult> whole = whole(trials, caveats);
        boolean any = TrialResult.variants(whole).contains(variant);
        return of(variant, any ? whole : trials, any);
    }

    public static List<TrialResult> whole(List<TrialResult> trials, List<Caveat> caveats) {
        Set<Integer> cut = caveats.stream()
                .filter(caveat -> caveat.is(Caveat.INTERRUPTED))
                .map(Caveat::trial)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return trials.stream().filter(trial -> !cut.contains(trial.trial())).toList();
    }

    public static LoadCurve of(String variant, List<TrialResult> trials) {
        return of(variant, trials, true);
    }

    private static LoadCurve of(String variant, List<TrialResult> trials, boolean whole) {
        List<TrialResult> own = TrialResult.ofVariant(variant, trials);
        Collection<List<StepResult>> byStep = own.stream()
                .flatMap(trial -> trial.steps().stream())
                .filter(StepResult::paced)
                .collect(Collectors.groupingBy(StepResult::step, TreeMap::new, Collectors.toList()))
                .values();
        // A step with almost no messages may be fast, so its p99 is no measure for other steps.
        double calmest = Known.orNaN(Known.least(
                byStep.stream()
                        .filter(repeats -> carries(point(repeats, Double.NaN, true)))
                        .toList(),
                repeats -> Median.of(repeats, step -> step.figures().response().p99())));
        List<Point> points =
                byStep.stream().map(repeats -> point(repeats, calmest, whole)).toList();
        boolean disturbed = own.stream().anyMatch(trial -> !trial.disturbances().isEmpty());
        return new LoadCurve(variant, points, disturbed ? List.of() : cold(points));
    }

    private static Point point(List<StepResult> repeats, double calmest, boolean whole) {
        StepResult first = repeats.get(0);
        double rate = Objects.requireNonNull(first.rate());
        double perSecond = Known.orNaN(Median.of(repeats, LoadCurve::achievedPerSecond));
        double offered = Known.orNaN(Median.of(repeats, step -> step.figures().offeredPerSecond()));
        double achieved = perSecond / (Double.isNaN(offered) ? rate : offered);
        LatencyResult response =
                LatencyResult.median(repeats, step -> step.figures().response());
        double p99 = Known.orNaN(response.p99());
        long due = worst(repeats, Count.DUE);
        long lost = worst(repeats, Count.LOST);
        long failed = worst(repeats, Count.FAILED);
        long unsent = worst(repeats, Count.UNSENT);
        long unresolved = worst(repeats, Count.UNRESOLVED);
        long left = unsent + unresolved;
        List<String> why = new ArrayList<>();
        // The worst reason comes first.
        FailedOperations.add(why, lost, "lost");
        FailedOperations.add(why, failed, "failed");
        double onItsWay = Math.min(Known.orZero(Median.of(repeats, LoadCurve::onItsWay)), Math.max(0, 1 - achieved));
        double queueGrowth = Known.orZero(Median.of(repeats, StepResult::queueGrowth));
        if (!RateRule.sustained(achieved, onItsWay, first.seconds())) {
            why.add("achieved " + NumberFormat.percent(achieved));
        }
        if (queueGrowth > 0) {
            why.add("the queue grew by " + NumberFormat.rate(queueGrowth));
        }
        FailedOperations.add(why, unsent, "unsent");
        FailedOperations.add(why, unresolved, "unresolved");
        if (RateRule.catchesUp(achieved)) {
            why.add("achieved " + NumberFormat.percent(achieved) + " (includes operations due earlier)");
        }
        if (!Double.isNaN(calmest) && p99 > RateRule.notSlowMillis(calmest)) {
            why.add("p99 " + NumberFormat.latency(response, 99) + " (" + (response.isBound(99) ? "≥ " : "")
                    + NumberFormat.times(p99 / calmest) + " the p99 of the calmest step)");
        }
        why.addAll(missed(repeats));
        LatencyResult late =
                LatencyResult.median(repeats, step -> step.figures().late());
        String reasons = String.join(", ", why);
        StepState judged = RateRule.broken(achieved, (double) (failed + left), (double) due)
                ? StepState.BROKEN
                : StepState.DEGRADED;
        if (why.isEmpty()) {
            judged = StepState.SUSTAINED;
        } else if (failed == 0 && lost == 0 && RateRule.generatorLate(Known.orNaN(late.p99()), p99)) {
            judged = StepState.UNTESTED;
            reasons =
                    "the generator itself was late by " + NumberFormat.latency(late, 99) + " at p99 (" + reasons + ")";
        }
        return new Point(
                first.step(),
                NumberFormat.step(first.label()),
                rate,
                first.seconds(),
                perSecond,
                achieved,
                onItsWay,
                response,
                failed,
                whole ? judged : StepState.UNFINISHED,
                whole ? reasons : "the trial ended early",
                repeats);
    }

    private static boolean carries(Point point) {
        return point.state() != StepState.BROKEN && point.state() != StepState.UNTESTED;
    }

    /** The achieved rate of messages due in a step; in old runs the lower of acked and received. */
    public static @Nullable Double achievedPerSecond(StepResult step) {
        return step.achievedPerSecond() != null
                ? step.achievedPerSecond()
                : lower(step.figures().ackedPerSecond(), step.figures().receivedPerSecond());
    }

    private static <N extends Comparable<N>> @Nullable N lower(@Nullable N acked, @Nullable N received) {
        return acked == null || (received != null && received.compareTo(acked) < 0) ? received : acked;
    }

    private static @Nullable Double onItsWay(StepResult step) {
        Double offered = step.figures().offeredPerSecond();
        Double during = achievedPerSecond(step);
        Long due = step.figures().count(Count.DUE);
        Long came = came(step.figures());
        if (offered == null || during == null || due == null || came == null || offered <= 0 || due <= 0) {
            return null;
        }
        return Math.max(0, came / (double) due - during / offered);
    }

    /** The number of due messages that came at any time; in a killed trial, all that did not fail. */
    private static @Nullable Long came(Figures figures) {
        Long due = figures.count(Count.DUE);
        if (due != null && figures.count(Count.UNRESOLVED) == null) {
            return due - figures.orZero(Count.FAILED);
        }
        Long acked = figures.ackedPerSecond() == null ? null : figures.count(Count.ACKED);
        Long received = figures.receivedPerSecond() == null ? null : figures.count(Count.RECEIVED);
        return lower(acked, received);
    }

    /** A rising step that missed its rate before the system was warm; {@code later} names later, better steps. */
    public record Cold(Point point, String later) {}

    private static List<Cold> cold(List<Point> points) {
        return rising(points).stream()
                .filter(point -> point.notCarried() && point.failed() == 0)
                .map(point -> new Cold(point, carriedLater(point, points)))
                .filter(cold -> !cold.later().isEmpty())
                .toList();
    }

    private static String carriedLater(Point point, List<Point> points) {
        List<StepResult> repeats = point.repeats();
        boolean onlyTheFirst =
                repeats.size() > 1 && repeats.stream().skip(1).allMatch(step -> carried(step, point.rate()));
        return points.stream()
                .filter(later -> later.step() > point.step()
                        && later.rate() > point.rate()
                        && later.achievedPerSecond() > point.rate()
                        && RateRule.catchesUp(later.achievedPerSecond() / point.achievedPerSecond()))
                .findFirst()
                .map(later -> "the later step at " + NumberFormat.rate(later.rate()) + " achieved "
                        + NumberFormat.rate(later.achievedPerSecond()))
                .orElse(onlyTheFirst ? "every later trial sustained it" : "");
    }

    private static boolean carried(StepResult step, double rate) {
        return RateRule.sustained(
                Known.orZero(achievedPerSecond(step)) / rate, Known.orZero(onItsWay(step)), step.seconds());
    }

    public List<Point> rising() {
        return rising(points);
    }

    private static List<Point> rising(List<Point> points) {
        List<Point> rising = new ArrayList<>();
        double highest = 0;
        for (Point point : points) {
            if (point.rate() > highest) {
                rising.add(point);
                highest = point.rate();
            }
        }
        return rising;
    }

    public List<Point> sustained() {
        return rising().stream()
                .filter(point -> point.state() == StepState.SUSTAINED)
                .toList();
    }

    /** The lowest response p99, in milliseconds, of all steps except broken and untested ones; NaN without a step. */
    public double lowestP99() {
        List<Point> carrying = points.stream().filter(LoadCurve::carries).toList();
        return Known.orNaN(Known.least(carrying, point -> point.response().p99()));
    }

    public @Nullable Point knee() {
        @Nullable Point beyond = beyond();
        @Nullable Point knee = null;
        for (Point point : rising()) {
            if (point.equals(beyond)) {
                return knee;
            }
            knee = point.state() == StepState.SUSTAINED ? point : knee;
        }
        return knee;
    }

    /** The sustained rate in words: {@code 2,000/s}, {@code 100/s after it broke}, {@code nothing}. */
    public String sustains() {
        @Nullable Point knee = knee();
        if (points.isEmpty()) {
            return NumberFormat.MISSING;
        }
        return knee != null
                ? NumberFormat.rate(knee.rate())
                : points.stream()
                        .filter(point -> point.state() == StepState.SUSTAINED)
                        .max(Comparator.comparingDouble(Point::rate))
                        .map(point -> NumberFormat.rate(point.rate()) + " after it broke")
                        .orElse("nothing");
    }

    public @Nullable Point beyond() {
        List<Point> rising = new ArrayList<>(rising());
        cold.forEach(cold -> rising.remove(cold.point()));
        double fastest = rising.stream()
                .filter(point -> point.state() == StepState.SUSTAINED)
                .mapToDouble(Point::rate)
                .max()
                .orElse(0);
        return rising.stream()
                .filter(point -> point.state() == StepState.BROKEN
                        || (point.state() != StepState.SUSTAINED
                                && point.state() != StepState.UNFINISHED
                                && point.rate() > fastest))
                .findFirst()
                .orElse(null);
    }

    public String refusal(Point point) {
        @Nullable Point beyond = beyond();
        boolean passing = beyond == null || point.rate() < beyond.rate();
        return point.state() == StepState.UNTESTED
                ? "is untested at "
                : point.state() == StepState.DEGRADED && passing ? "is degraded at " : "does not sustain ";
    }

    private static List<String> missed(List<StepResult> repeats) {
        List<List<String>> missed = repeats.stream()
                .map(StepResult::missed)
                .filter(limits -> !limits.isEmpty())
                .toList();
        return 2 * missed.size() <= repeats.size() ? List.of() : missed.get(0);
    }

    private static long worst(List<StepResult> repeats, Count count) {
        return repeats.stream().mapToLong(step -> step.figures().orZero(count)).reduce(0, Math::max);
    }
}
