package weir.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Median;
import weir.plan.CaveatType;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.value.AtomicityResult;
import weir.results.value.BreakingPointResult;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.Figures;
import weir.results.value.FitResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.OverheadResult;
import weir.results.value.ScalingResult;
import weir.results.value.TrialResult;

/**
 * Writes the answer. A load in steps is answered by its knee (see {@link LoadCurve}): the fastest rate that was sustained with
 * every slower one, and what went wrong at the next. One rate is answered by whether it was sustained; a closed loop by what it
 * carried. Of several variants the best is named, and never called better without a verdict; where transactions are
 * compared with none, it is {@link CostOfAtomicity what they cost}.
 */
public final class Conclusions {
    /** Variants that a sentence names. */
    private static final int MOST_NAMED = 3;

    /** The counts that no answer may leave out, the worst first, in the words of the answer. */
    static final Map<Count, String> LOSSES = losses();

    private static final int MOST_ADVICE = 3;
    private static final String ALL_SUSTAIN =
            "No variant sustains the rate, so nothing can be compared at it: ask at a rate that"
                    + " all of them sustain (rate: 50% of capacity, with search: { capacity: { of: each } }, or a lower rate).";

    private Conclusions() {}

    private static Map<Count, String> losses() {
        Map<Count, String> losses = new LinkedHashMap<>();
        losses.put(Count.LOST, "lost after they were acked");
        losses.put(Count.DUPLICATED, "duplicated");
        losses.put(Count.REORDERED, "reordered");
        losses.put(Count.FAILED, "failed");
        losses.put(Count.UNRESOLVED, "never answered");
        losses.put(Count.UNSENT, "due but not sent");
        return losses;
    }

    /** The conclusion for loads whose operations are single records, without a fit. */
    public static Conclusion of(
            RequestedExperiment asked,
            Machine machine,
            List<TrialResult> trials,
            List<Caveat> caveats,
            List<ComparisonResult> comparisons) {
        return of(asked, machine, trials, caveats, comparisons, List.of(), List.of(), List.of(), List.of());
    }

    /** With what operations cost, the fits that were asked for, and where variants break of which it was asked. */
    public static Conclusion of(
            RequestedExperiment asked,
            Machine machine,
            List<TrialResult> trials,
            List<Caveat> caveats,
            List<ComparisonResult> comparisons,
            List<OverheadResult> overheads,
            List<FitResult> fits,
            List<ScalingResult> scalings,
            List<BreakingPointResult> breakingPoints) {
        List<TrialResult> measured =
                trials.stream().filter(Conclusions::measured).toList();
        List<TrialResult> whole = LoadCurve.whole(measured, caveats);
        List<String> variants =
                whole.stream().map(TrialResult::variant).distinct().toList();
        String noise = asked.againstItself() ? NoiseFloor.of(trials, comparisons) : "";
        String breaks = BreakingPointSentence.sentence(breakingPoints, trials);
        String answer = measured.isEmpty()
                ? "Nothing was measured."
                : whole.isEmpty()
                        ? unfinished(measured)
                        : !breaks.isEmpty()
                                ? breaks
                                : variants.size() == 1
                                        ? alone(variants.get(0), whole)
                                        : noise.isEmpty() ? several(variants, whole, comparisons, overheads) : noise;
        String limit = ClientOrBroker.sentence(whole);
        // Who asks for a model wants to know that, and not which of its cells carries the most.
        boolean model = noise.isEmpty()
                && (fits.stream().anyMatch(fit -> !fit.terms().isEmpty())
                        || scalings.stream()
                                .flatMap(scaling -> scaling.curves().stream())
                                .anyMatch(curve -> curve.law() != null));
        String caughtUp = CatchUpSentence.of(whole);
        String disturbed = DisturbanceSentence.of(whole, comparisons);
        String first = !caughtUp.isEmpty() || !disturbed.isEmpty()
                ? (caughtUp + " " + disturbed).strip()
                : model
                        ? Stream.concat(
                                        fits.stream().map(FitResult::sentence),
                                        scalings.stream().map(ScalingResult::sentence))
                                .collect(Collectors.joining(" "))
                        : answer;
        String words = Stream.of(first, limit, lost(trials, first))
                .filter(sentence -> !sentence.isEmpty())
                .collect(Collectors.joining(" "));
        return new Conclusion(
                        words,
                        AnswerScope.of(asked, machine, trials),
                        losses(trials),
                        advice(variants, whole, caveats),
                        breakingPoints)
                .detailed(DeliverySentence.of(variants, whole));
    }

    /** A trial that was killed before its first message came through has nothing to say. */
    /** True of a trial that has a rate or a latency. */
    public static boolean measured(TrialResult trial) {
        Figures figures = trial.figures();
        return figures.ackedPerSecond() != null
                || figures.receivedPerSecond() != null
                || figures.response().count() > 0;
    }

    /** The load that the last trial carried until it was ended; whether it would have been sustained nobody knows. */
    private static String unfinished(List<TrialResult> measured) {
        TrialResult last = measured.get(measured.size() - 1);
        return "Unfinished, so there is no answer: " + (measured.size() == 1 ? "" : "trial " + last.trial() + " ")
                + lower(carried(List.of(last))) + ", over " + NumberFormat.seconds(last.seconds()) + ".";
    }

    private static String alone(String variant, List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(variant, trials);
        if (curve.points().isEmpty()) {
            return carried(named(variant, trials)) + ".";
        }
        LoadCurve.@Nullable Point knee = curve.knee();
        LoadCurve.@Nullable Point beyond = curve.beyond();
        if (!curve.cold().isEmpty()) {
            return (knee == null
                            ? "Not known what it sustains"
                            : "Sustains " + sustained(knee) + "; its limit is not known")
                    + ": it was not warm at " + notWarm(curve.cold().get(0)) + ".";
        }
        if (knee == null) {
            LoadCurve.Point first = curve.rising().get(0);
            String lowest = curve.rising().size() > 1 ? "even the lowest rate, " : "";
            String verdict = first.generatorDecided() ? "Not known whether it sustains " : "Does not sustain ";
            return verdict + lowest + refused(first) + ".";
        }
        if (beyond != null) {
            String verdict = beyond.generatorDecided() ? "; not known whether it sustains " : "; does not sustain ";
            return "Sustains " + sustained(knee) + verdict + refused(beyond) + ".";
        }
        if (curve.rising().size() > 1) {
            return "Sustains every rate it was offered, up to " + sustained(knee) + "; its limit was not reached.";
        }
        return "Sustains " + sustained(knee) + " (p50 " + NumberFormat.latency(knee.response(), 50) + ", p99.9 "
                + NumberFormat.latency(knee.response(), 99.9) + ").";
    }

    private static String notWarm(LoadCurve.Cold cold) {
        return NumberFormat.rate(cold.point().rate()) + " (achieved "
                + NumberFormat.percent(cold.point().achieved()) + "; " + cold.later() + ")";
    }

    private static String sustained(LoadCurve.Point point) {
        LatencyResult e2e = point.latency(Figures::e2e);
        return NumberFormat.rate(point.rate()) + " with response p99 " + NumberFormat.latency(point.response(), 99)
                + (e2e.p99() == null ? "" : " and e2e p99 " + NumberFormat.latency(e2e, 99));
    }

    /** A rate and why it was not sustained: only what decided, never a figure that is within its limit. */
    private static String refused(LoadCurve.Point point) {
        return NumberFormat.rate(point.rate()) + ": " + why(point);
    }

    /** Where the generator decided, that comes first: the rest is its doing. */
    private static String why(LoadCurve.Point point) {
        return point.generatorDecided()
                ? "the generator itself was late by " + NumberFormat.latency(point.latency(Figures::late), 99)
                        + " at p99 (" + point.why() + ")"
                : point.why();
    }

    private static String carried(List<TrialResult> trials) {
        Double acked = Median.of(trials, trial -> trial.figures().ackedPerSecond());
        Double received = Median.of(trials, trial -> trial.figures().receivedPerSecond());
        Double mebibytes = Median.of(trials, trial -> trial.figures().mebibytesPerSecond());
        String volume = mebibytes == null ? "" : " (" + NumberFormat.mebibytes(mebibytes) + ")";
        if ((acked == null || acked == 0) && received != null) {
            return "Read " + NumberFormat.rate(received) + volume;
        }
        String text = "Acked " + NumberFormat.rate(acked) + volume + ", response p99 "
                + NumberFormat.millis(
                        Median.of(trials, trial -> trial.figures().response().p99()));
        Double e2e = Median.of(trials, trial -> trial.figures().e2e().p99());
        return e2e == null ? text : text + ", e2e p99 " + NumberFormat.millis(e2e);
    }

    /** A variant's rank: how much it holds or carries, then how quickly. */
    private record Standing(String variant, double carries, double p99, String words) {
        String sentence() {
            return "“" + variant + "” " + words;
        }
    }

    private static String several(
            List<String> variants,
            List<TrialResult> trials,
            List<ComparisonResult> comparisons,
            List<OverheadResult> overheads) {
        String cost = CostOfAtomicity.sentence(overheads, trials);
        return cost.isEmpty() ? best(variants, trials, comparisons) : cost;
    }

    private static String best(List<String> variants, List<TrialResult> trials, List<ComparisonResult> comparisons) {
        List<Standing> standings = variants.stream()
                .map(variant -> standing(variant, trials))
                .sorted(Comparator.comparingDouble(Standing::carries)
                        .reversed()
                        .thenComparingDouble(standing -> Double.isNaN(standing.p99()) ? 1e300 : standing.p99()))
                .toList();
        Standing first = standings.get(0);
        List<String> others =
                standings.stream().skip(1).limit(3).map(Standing::sentence).toList();
        String rest = standings.size() > 4 ? ", and " + (standings.size() - 4) + " more behind" : "";
        return first.sentence() + "; " + String.join("; ", others) + rest + " ("
                + verdict(first.variant(), standings.get(1).variant(), trials, comparisons) + ").";
    }

    private static Standing standing(String variant, List<TrialResult> trials) {
        LoadCurve curve = LoadCurve.of(variant, trials);
        if (curve.points().isEmpty()) {
            List<TrialResult> own = named(variant, trials);
            Double acked = Median.of(own, trial -> trial.figures().ackedPerSecond());
            Double received = Median.of(own, trial -> trial.figures().receivedPerSecond());
            Double p99 = Median.of(own, trial -> trial.figures().response().p99());
            double carries = Math.max(acked == null ? 0 : acked, received == null ? 0 : received);
            return new Standing(variant, carries, p99 == null ? Double.NaN : p99, lower(carried(own)));
        }
        LoadCurve.@Nullable Point knee = curve.knee();
        if (knee == null) {
            if (!curve.cold().isEmpty()) {
                return new Standing(
                        variant,
                        0,
                        Double.NaN,
                        "was not warm at " + notWarm(curve.cold().get(0)));
            }
            LoadCurve.Point point = curve.rising().get(0);
            return new Standing(
                    variant,
                    0,
                    Double.NaN,
                    (point.generatorDecided() ? "was not tested at " : "does not sustain ")
                            + NumberFormat.rate(point.rate()) + " (" + why(point) + ")");
        }
        Double p99 = knee.response().p99();
        return new Standing(variant, knee.rate(), p99 == null ? Double.NaN : p99, "sustains " + sustained(knee));
    }

    private static String lower(String text) {
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private static String verdict(
            String first, String second, List<TrialResult> trials, List<ComparisonResult> comparisons) {
        long fewest = trials.stream()
                .map(TrialResult::variant)
                .distinct()
                .mapToLong(variant -> named(variant, trials).size())
                .min()
                .orElse(0);
        if (fewest < Comparisons.ENOUGH) {
            return fewest == 1 ? "one repeat each: no verdict" : fewest + " repeats each: no verdict";
        }
        return comparisons.stream()
                .filter(c -> c.to() == null && Set.of(c.a(), c.b()).equals(Set.of(first, second)))
                .findFirst()
                .map(c -> "medians; " + c.pair() + " in " + c.metric() + ": " + c.text()
                        + (c.ratio() == null ? ", " : " of geometric means, ") + c.judged())
                .orElse("medians; not compared with each other");
    }

    /** The losses of all trials, unless the one reason of the answer says so. */
    private static String lost(List<TrialResult> trials, String answer) {
        List<TrialResult> some =
                trials.stream().filter(trial -> lostOf(trial) > 0).toList();
        long lost = some.stream().mapToLong(Conclusions::lostOf).sum();
        String words = lost == 1 ? "was lost" : "were lost";
        boolean said = answer.matches(".* " + NumberFormat.count(lost) + " lost\\b.*");
        if (lost == 0 || (some.size() == 1 && said)) {
            return "";
        }
        return NumberFormat.count(lost) + (lost == 1 ? " acked record " : " acked records ") + words
                + under(trials, some) + ".";
    }

    /** The variants by name, or how many there are and the one that lost most. */
    private static String under(List<TrialResult> trials, List<TrialResult> losing) {
        long all = trials.stream().map(TrialResult::variant).distinct().count();
        List<String> variants =
                losing.stream().map(TrialResult::variant).distinct().toList();
        if (all == 1) {
            return "";
        }
        if (variants.size() <= MOST_NAMED) {
            return " under "
                    + NumberFormat.listed(
                            variants.stream().map(name -> "“" + name + "”").toList());
        }
        TrialResult worst = losing.stream()
                .max(Comparator.comparingLong(Conclusions::lostOf))
                .orElseThrow();
        return " under " + variants.size() + " of " + all + " variants, most under “" + worst.variant() + "”: "
                + NumberFormat.count(lostOf(worst));
    }

    private static long lostOf(TrialResult trial) {
        Long lost = trial.figures().count(Count.LOST);
        CatchUpResult catchUp = trial.catchUp();
        Long ofBacklog = catchUp == null ? null : catchUp.lost();
        return (lost == null ? 0 : lost) + (ofBacklog == null ? 0 : ofBacklog);
    }

    private static List<String> losses(List<TrialResult> trials) {
        List<String> losses = new ArrayList<>();
        for (TrialResult trial : trials) {
            Figures f = trial.figures();
            List<String> parts = new ArrayList<>();
            LOSSES.forEach((count, words) -> {
                if (count != Count.REORDERED || ordered(trial)) {
                    add(parts, f.count(count), words);
                }
            });
            CatchUpResult catchUp = trial.catchUp();
            add(parts, catchUp == null ? null : catchUp.lost(), "of the backlog lost");
            if (!parts.isEmpty()) {
                losses.add("Trial " + trial.trial() + " (" + trial.variant() + "): " + NumberFormat.listed(parts)
                        + ", of " + NumberFormat.count(f.count(Count.DUE)) + " due.");
            }
            AtomicityResult found = f.atomicity();
            if (found != null && found.transactional()) {
                torn(trial, found).ifPresent(losses::add);
            }
        }
        return losses;
    }

    /** Requests on several connections promise no order. */
    private static boolean ordered(TrialResult trial) {
        return Stream.of("load.engine", "load.engine.send")
                .noneMatch(path -> "http".equals(trial.settings().get(path)));
    }

    private static Optional<String> torn(TrialResult trial, AtomicityResult found) {
        List<String> parts = new ArrayList<>();
        add(parts, found.abortedReads(), "read although aborted");
        add(parts, found.torn(), "torn");
        add(parts, found.offsetsWithoutRecord(), "committed as an offset without its record");
        add(parts, found.recordsWithoutOffset(), "written without its offset");
        add(parts, found.writtenTwice(), "written twice");
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of("Trial " + trial.trial() + " (" + trial.variant()
                        + "): transactions were not all or nothing: " + NumberFormat.listed(parts) + ".");
    }

    private static void add(List<String> parts, @Nullable Long count, String what) {
        if (count != null && count > 0) {
            parts.add(NumberFormat.count(count) + " " + what);
        }
    }

    private static List<String> advice(List<String> variants, List<TrialResult> trials, List<Caveat> caveats) {
        Set<String> advice = new LinkedHashSet<>();
        // What decided comes before what is doubtful.
        boolean paced = variants.stream()
                .noneMatch(variant -> LoadCurve.of(variant, trials).points().isEmpty());
        boolean none = variants.stream()
                .allMatch(variant -> LoadCurve.of(variant, trials).knee() == null);
        if (paced && none && variants.size() > 1) {
            advice.add(ALL_SUSTAIN);
        }
        Caveat.loudestFirst(caveats).stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE
                        && !caveat.advice().isBlank())
                .forEach(caveat -> advice.add(caveat.advice()));
        for (String variant : variants) {
            LoadCurve curve = LoadCurve.of(variant, trials);
            if (curve.points().size() > 1 && curve.beyond() == null) {
                advice.add("Offer higher rates to find the limit.");
            } else if (curve.points().size() > 1 && curve.knee() == null && variants.size() == 1) {
                advice.add("Offer lower rates to find what it does sustain.");
            }
        }
        if (variants.size() > 1 && trials.size() < variants.size() * Comparisons.ENOUGH) {
            advice.add("Repeat each variant at least four times (repeat: 4) to tell a difference from noise.");
        }
        return advice.stream().limit(MOST_ADVICE).toList();
    }

    private static List<TrialResult> named(String variant, List<TrialResult> trials) {
        return trials.stream().filter(trial -> trial.variant().equals(variant)).toList();
    }
}
