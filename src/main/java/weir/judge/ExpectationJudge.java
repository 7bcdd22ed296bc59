package weir.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import weir.feature.Features;
import weir.judge.TrialFigures.FoundFigure;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Latency;
import weir.measure.Median;
import weir.measure.Welch;
import weir.plan.Expectation;
import weir.plan.Expectation.Operator;
import weir.plan.Expectation.Unit;
import weir.results.value.CapacityResult;
import weir.results.value.ExpectResult;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchAnswer;

/**
 * The check of expectations against trials. The figure of a variant is the median over its trials. A count, such as
 * lost messages, is the count of the worst trial. An expectation without samples is undecided. A ratio meets an
 * expectation only if its whole interval does.
 */
public record ExpectationJudge(List<? extends Evidence> trials, SearchResults found) {
    public ExpectationJudge {
        trials = List.copyOf(trials);
    }

    public ExpectationJudge(List<? extends Evidence> trials) {
        this(trials, SearchResults.NONE);
    }

    public List<ExpectResult> of(List<Expectation> expectations) {
        List<ExpectResult> results = new ArrayList<>();
        for (Expectation expectation : expectations) {
            List<String> variants = variants();
            if (searched(expectation.metric().name())) {
                results.addAll(searched(expectation));
            } else if (expectation.of().isEmpty() && !variants.isEmpty()) {
                variants.forEach(variant -> results.add(judge(expectation, variant)));
            } else {
                results.add(judge(expectation, expectation.of()));
            }
        }
        return results;
    }

    private List<String> variants() {
        return trials.stream().map(trial -> trial.result().variant()).distinct().toList();
    }

    private List<TrialFigures> figures(Expectation e, String variant) {
        return trials.stream()
                .filter(trial -> trial.result().variant().equals(variant))
                .map(trial -> new TrialFigures(e, trial))
                .toList();
    }

    private ExpectResult judge(Expectation e, String variant) {
        String text = e.of().isEmpty() && variants().size() > 1 ? e.text() + " (" + variant + ")" : e.text();
        List<TrialFigures> own = figures(e, variant);
        List<TrialFigures> other = e.ratio() ? figures(e, e.over()) : List.of();
        if (own.isEmpty() || (e.ratio() && other.isEmpty())) {
            return undecided(text, "no trial was measured for this expectation");
        }
        if (e.byWindow()) {
            return byWindow(text, e, own, other);
        }
        return e.ratio() ? ratio(text, e, whole(own), whole(other)) : figure(text, e, own, reasons(e, variant));
    }

    private String reasons(Expectation e, String variant) {
        return !e.metric().name().equals(Count.FAILED.word())
                ? ""
                : trials.stream()
                        .map(Evidence::result)
                        .filter(trial -> trial.variant().equals(variant))
                        .max(Comparator.comparingLong(trial -> trial.figures().orZero(Count.FAILED)))
                        .map(FailedOperations::reasons)
                        .orElse("");
    }

    private static ExpectResult failed(String text, String why) {
        return new ExpectResult(text, ExpectResult.FAILED, null, null, null, null, why);
    }

    private static ExpectResult undecided(String text, String why) {
        return new ExpectResult(text, ExpectResult.UNDECIDED, null, null, null, null, why);
    }

    private static List<FoundFigure> whole(List<TrialFigures> trials) {
        return trials.stream().map(TrialFigures::whole).toList();
    }

    private static ExpectResult figure(String text, Expectation e, List<TrialFigures> own, String why) {
        List<FoundFigure> found = whole(own);
        String nothing = nothing(found);
        if (!nothing.isEmpty()) {
            List<FoundFigure> known =
                    found.stream().filter(figure -> !figure.nothing()).toList();
            // For a count, one failed trial decides.
            boolean decided = e.counts() && known.stream().anyMatch(figure -> !holds(e, figure));
            return decided ? single(text, e, known, nothing) : undecided(text, nothing);
        }
        if (found.stream().anyMatch(FoundFigure::thin)) {
            return pooled(text, e, own, found);
        }
        return single(text, e, found, why);
    }

    private static ExpectResult single(String text, Expectation e, List<FoundFigure> found, String why) {
        boolean most = e.operator() != Operator.ABOVE && e.operator() != Operator.AT_LEAST;
        double low = figure(e, found, FoundFigure::value);
        double worst = figure(e, found, f -> f.atLeast() ? Double.POSITIVE_INFINITY : f.value());
        boolean holds = holds(e, most ? worst : low);
        String bound = worst > low ? "≥ " : "";
        String reason = !holds && worst > low && holds(e, low) ? "the figure includes unfinished messages" : why;
        double shown = e.latency() ? low * 1e3 : low;
        return new ExpectResult(text, verdict(holds), shown, null, null, bound + written(e, low), reason);
    }

    private static double figure(Expectation e, List<FoundFigure> found, ToDoubleFunction<FoundFigure> value) {
        double[] sorted = found.stream().mapToDouble(value).sorted().toArray();
        if (e.counts()) {
            boolean atLeast = e.operator() == Operator.ABOVE || e.operator() == Operator.AT_LEAST;
            return atLeast ? sorted[0] : sorted[sorted.length - 1];
        }
        return Median.of(sorted);
    }

    /** Pools the messages of all trials, because each trial may have too few. */
    private static ExpectResult pooled(String text, Expectation e, List<TrialFigures> own, List<FoundFigure> found) {
        if (own.size() > 1) {
            Latency all = Latency.sum(own.stream().map(TrialFigures::histogram).toList());
            double bound = found.stream().anyMatch(FoundFigure::atLeast) ? 0 : 100;
            FoundFigure together = FoundFigure.of(e, all, bound);
            if (!together.nothing() && !together.thin()) {
                String why = "of all " + own.size()
                        + " trials together: a single trial has fewer than ten messages beyond " + e.stat();
                return single(text, e, List.of(together), why);
            }
        }
        return failed(text, "fewer than ten messages are beyond " + e.stat() + "; measure longer");
    }

    private static ExpectResult ratio(String text, Expectation e, List<FoundFigure> a, List<FoundFigure> b) {
        String nothing = nothing(a).isEmpty() ? nothing(b) : nothing(a);
        if (!nothing.isEmpty()) {
            return undecided(text, nothing);
        }
        if (a.stream().anyMatch(FoundFigure::thin) || b.stream().anyMatch(FoundFigure::thin)) {
            return failed(text, "a trial has fewer than ten messages beyond " + e.stat() + "; measure longer");
        }
        if (e.counts()) {
            double ratio = figure(e, a, FoundFigure::value) / figure(e, b, FoundFigure::value);
            return point(text, e, ratio, "from the worst trial of each variant; a count has no interval");
        }
        Welch welch = Welch.of(values(a), values(b));
        if (Double.isNaN(welch.ratio())) {
            return failed(text, "the figure of a trial is 0, and a ratio to 0 is undefined");
        }
        boolean bounded =
                a.stream().anyMatch(FoundFigure::atLeast) || b.stream().anyMatch(FoundFigure::atLeast);
        if (bounded) {
            String why = "unfinished messages are part of " + e.stat() + ", so the ratio is unknown";
            return undecided(text, why);
        }
        if (Double.isNaN(welch.low())) {
            return point(text, e, welch.ratio(), "a point estimate: one trial has no interval");
        }
        String interval = NumberFormat.times(welch.ratio())
                + NumberFormat.interval(welch.low(), welch.high(), NumberFormat::times);
        String verdict = verdict(e, welch.low(), welch.high());
        String why =
                verdict.equals(ExpectResult.UNDECIDED) ? "the limit is inside the interval; repeat more often" : "";
        return new ExpectResult(text, verdict, welch.ratio(), welch.low(), welch.high(), interval, why);
    }

    private static ExpectResult point(String text, Expectation e, double ratio, String why) {
        if (!Double.isFinite(ratio)) {
            return failed(text, "a ratio to 0 is undefined");
        }
        return new ExpectResult(text, verdict(holds(e, ratio)), ratio, null, null, NumberFormat.times(ratio), why);
    }

    private static ExpectResult byWindow(String text, Expectation e, List<TrialFigures> own, List<TrialFigures> other) {
        List<SortedMap<Integer, FoundFigure>> windows = e.ratio()
                ? List.of(ratios(own, other))
                : own.stream().map(TrialFigures::windows).toList();
        if (windows.stream().anyMatch(trial -> trial.isEmpty())) {
            return undecided(text, "no samples");
        }
        double[] shares = windows.stream()
                .mapToDouble(trial -> trial.values().stream()
                                .filter(found -> !found.thin() && holds(e, found.value()))
                                .count()
                        / (double) trial.size())
                .sorted()
                .toArray();
        double share = e.counts() ? shares[0] : Median.of(shares);
        long thin = windows.stream()
                .flatMap(trial -> trial.values().stream())
                .filter(FoundFigure::thin)
                .count();
        int fewest = windows.stream().mapToInt(trial -> trial.size()).min().orElse(0);
        String why = thin == 0
                ? ""
                : thin + " windows have fewer than ten messages beyond " + e.stat() + " and count as failed";
        String found = NumberFormat.percent(share) + " of " + fewest + " windows";
        boolean holds = share >= e.windows().share();
        return new ExpectResult(text, verdict(holds), share, null, null, found, why);
    }

    private static SortedMap<Integer, FoundFigure> ratios(List<TrialFigures> own, List<TrialFigures> other) {
        SortedMap<Integer, FoundFigure> a = medians(own);
        SortedMap<Integer, FoundFigure> b = medians(other);
        SortedMap<Integer, FoundFigure> ratios = new TreeMap<>();
        a.forEach((place, found) -> {
            FoundFigure against = b.get(place);
            if (against != null) {
                ratios.put(
                        place, new FoundFigure(found.value() / against.value(), false, found.thin() || against.thin()));
            }
        });
        return ratios;
    }

    private static SortedMap<Integer, FoundFigure> medians(List<TrialFigures> trials) {
        SortedMap<Integer, List<FoundFigure>> all = new TreeMap<>();
        trials.forEach(trial -> trial.windows()
                .forEach((place, found) ->
                        all.computeIfAbsent(place, p -> new ArrayList<>()).add(found)));
        SortedMap<Integer, FoundFigure> medians = new TreeMap<>();
        all.forEach((place, found) -> medians.put(
                place,
                new FoundFigure(Median.of(values(found)), false, found.stream().anyMatch(FoundFigure::thin))));
        return medians;
    }

    private static String nothing(List<FoundFigure> found) {
        long without = found.stream().filter(FoundFigure::nothing).count();
        if (without == 0) {
            return "";
        }
        return without == found.size() ? "no samples" : without + " of " + found.size() + " trials have no samples";
    }

    private static double[] values(List<FoundFigure> found) {
        return found.stream().mapToDouble(FoundFigure::value).sorted().toArray();
    }

    private static String verdict(Expectation e, double low, double high) {
        // For "same", the ends of the interval may be outside the band on different sides.
        boolean around = e.operator() == Operator.SAME_WITHIN && low < 1 && high > 1;
        return holds(e, low) && holds(e, high)
                ? ExpectResult.PASSED
                : holds(e, low) || holds(e, high) || around ? ExpectResult.UNDECIDED : ExpectResult.FAILED;
    }

    private static String verdict(boolean holds) {
        return holds ? ExpectResult.PASSED : ExpectResult.FAILED;
    }

    static String written(Expectation e, double value) {
        if (e.latency()) {
            return NumberFormat.millis(value * 1e3);
        }
        if (e.unit() == Unit.SECONDS) {
            return NumberFormat.seconds(value);
        }
        if (e.unit() == Unit.SHARE) {
            return NumberFormat.percent(value);
        }
        return e.unit() == Unit.PER_SECOND ? NumberFormat.rate(value) : NumberFormat.number(value);
    }

    /** True when the figure meets the expectation; a lower bound never meets an upper limit. */
    static boolean holds(Expectation e, FoundFigure found) {
        boolean most = e.operator() != Operator.ABOVE && e.operator() != Operator.AT_LEAST;
        return holds(e, most && found.atLeast() ? Double.POSITIVE_INFINITY : found.value());
    }

    static boolean holds(Expectation e, double value) {
        return switch (e.operator()) {
            case BELOW -> value < e.value();
            case AT_MOST -> value <= e.value();
            case ABOVE -> value > e.value();
            case AT_LEAST -> value >= e.value();
            case EQUAL -> value == e.value();
            case SAME_WITHIN -> Math.abs(value - 1) <= e.value();
        };
    }

    private static SearchAnswer answer(CapacityResult one) {
        String written = NumberFormat.rate(one.rate()) + " " + Capacities.interval(one);
        return new SearchAnswer(one.of(), one.rate(), one.low(), one.high(), false, written, "", "", one.reason());
    }

    private static double highest(SearchAnswer answer) {
        return answer.high() == null ? Double.POSITIVE_INFINITY : answer.high();
    }

    private static boolean searched(String metric) {
        return metric.equals(CapacityResult.METRIC) || Features.search(metric).isPresent();
    }

    private List<ExpectResult> searched(Expectation e) {
        List<SearchAnswer> all = e.metric().name().equals(CapacityResult.METRIC)
                ? found.capacities().stream().map(ExpectationJudge::answer).toList()
                : Features.search(e.metric().name()).stream()
                        .flatMap(kind -> kind.figures(found).stream())
                        .toList();
        List<SearchAnswer> own = e.of().isEmpty() ? all : named(all, e.of());
        List<ExpectResult> results = new ArrayList<>();
        for (SearchAnswer one : own) {
            String text = e.of().isEmpty() && own.size() > 1 ? e.text() + " (" + one.of() + ")" : e.text();
            if (e.ratio()) {
                named(all, e.over()).forEach(other -> results.add(ratio(text, e, one, other)));
            } else {
                results.add(single(text, e, one));
            }
        }
        return results.isEmpty() ? List.of(failed(e.text(), "the run has no search for this metric")) : results;
    }

    private static List<SearchAnswer> named(List<SearchAnswer> all, String variant) {
        return all.stream().filter(result -> result.of().equals(variant)).toList();
    }

    private static ExpectResult single(String text, Expectation e, SearchAnswer result) {
        if (result.low() == null) {
            // If not even the first rate was sustained, the capacity is below it by an unknown amount.
            boolean below = e.operator() == Operator.BELOW || e.operator() == Operator.AT_MOST;
            return below ? undecided(text, result.reason()) : failed(text, result.reason());
        }
        String verdict = result.open() ? ExpectResult.UNDECIDED : verdict(e, result.low(), highest(result));
        return new ExpectResult(
                text,
                verdict,
                result.value(),
                result.low(),
                result.high(),
                result.written(),
                result.open() || verdict.equals(ExpectResult.FAILED) ? result.reason() : sides(verdict));
    }

    private static ExpectResult ratio(String text, Expectation e, SearchAnswer a, SearchAnswer b) {
        if (a.open() || b.open()) {
            return undecided(text, (a.open() ? a : b).reason());
        }
        boolean endless = a.high() == null && b.high() == null;
        if (a.value() == null || b.value() == null || a.low() == null || b.low() == null || endless) {
            return undecided(text, (a.low() == null || b.low() != null ? a : b).reason());
        }
        double low = a.low() / highest(b);
        double high = highest(a) / b.low();
        double ratio = a.value() / b.value();
        String verdict = verdict(e, low, high);
        String written = NumberFormat.times(ratio) + " [" + (low == 0 ? "?" : NumberFormat.times(low)) + ", "
                + (Double.isInfinite(high) ? "?" : NumberFormat.times(high)) + "]";
        return new ExpectResult(text, verdict, ratio, low, Known.of(high), written, sides(verdict));
    }

    private static String sides(String verdict) {
        return verdict.equals(ExpectResult.UNDECIDED) ? "the limit is inside the interval" : "";
    }
}
