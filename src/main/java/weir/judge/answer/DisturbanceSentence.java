package weir.judge.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.ComparedMetric;
import weir.judge.Comparisons;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Median;
import weir.measure.Welch;
import weir.results.value.CatchUpResult;
import weir.results.value.ComparisonResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.StressResult;
import weir.results.value.TrialResult;

/**
 * The sentences about the effect of each disturbance. If the experiment compares with an undisturbed variant, a
 * sentence gives the cost in response p99. It also gives the share of this cost that each countermeasure recovers.
 * Otherwise, and for an outage, a sentence gives the median gap, lag and recovery, and the losses of the worst trial.
 */
final class DisturbanceSentence {
    private static final int MOST_TOLD = 6;

    private static final List<String> OUTAGES = List.of(".kill", ".stop", ".pause", ".cut");

    private static final String EVERYWHERE = " in all partitions";

    private DisturbanceSentence() {}

    static List<AnswerSentence> of(RunFindings f) {
        return ComparedMetric.disturbing(f.whole()).stream()
                .map(name -> of(name, f))
                .toList();
    }

    static List<String> details(RunFindings f) {
        Map<String, Set<String>> variants = new LinkedHashMap<>();
        for (TrialResult trial : f.whole()) {
            for (DisturbanceResult one : trial.disturbances()) {
                variants.computeIfAbsent(
                                NumberFormat.quoted(one.name()) + " is: " + one.what() + end(trial, one),
                                what -> new LinkedHashSet<>())
                        .add(NumberFormat.quoted(trial.variant()));
            }
        }
        boolean several = f.variants().size() > 1;
        return variants.entrySet().stream()
                .map(one -> one.getKey()
                        + (several ? " (in " + NumberFormat.listed(List.copyOf(one.getValue())) + ")" : "") + ".")
                .toList();
    }

    private static String end(TrialResult trial, DisturbanceResult one) {
        boolean away = Stream.of(".kill", ".stop")
                .anyMatch(kind -> trial.settings().containsKey("during." + one.name() + kind));
        return away && one.to() != null ? "; when the disturbance ends, Weir restarts the process" : "";
    }

    private static AnswerSentence of(String name, RunFindings f) {
        Map<String, List<TrialResult>> hits = f.whole().stream()
                .filter(trial -> trial.disturbance(name) != null)
                .collect(Collectors.groupingBy(TrialResult::variant, LinkedHashMap::new, Collectors.toList()));
        List<ComparisonResult> costs = f.run().comparisons().stream()
                .filter(c -> c.metric().equals(ComparedMetric.during(name)))
                .filter(c -> c.to() == null && hits.containsKey(c.a()) && !hits.containsKey(c.b()))
                .toList();
        return costs.isEmpty() || outage(name, hits) ? effects(name, hits, f) : cost(name, costs, hits, f);
    }

    private static boolean outage(String name, Map<String, List<TrialResult>> hits) {
        return hits.values().stream()
                .flatMap(List::stream)
                .flatMap(trial -> trial.settings().keySet().stream())
                .anyMatch(path -> OUTAGES.stream().anyMatch(kind -> path.equals("during." + name + kind)));
    }

    private static AnswerSentence cost(
            String name, List<ComparisonResult> costs, Map<String, List<TrialResult>> hits, RunFindings f) {
        ComparisonResult cost = costs.get(0);
        String called = NumberFormat.quoted(name);
        List<String> clauses = new ArrayList<>();
        if (cost.ratio() == null) {
            clauses.add(called + ": response p99 " + cost.text() + " (" + cost.pair() + ")");
        } else if (!Comparisons.costs(cost)) {
            clauses.add(called
                    + (cost.verdict().equals(Comparisons.NO_VERDICT)
                            ? ": response p99 during it is "
                            : " has no visible effect on response p99 during it: ")
                    + ComparisonSentence.ratio(cost) + " (" + cost.pair() + ")"
                    + (cost.visible() == null
                            ? ""
                            : ", smallest visible change " + NumberFormat.change(cost.visible())));
            String recovery = recovery(
                    disturbed(name, Objects.requireNonNull(hits.get(cost.a()))).toList());
            if (!recovery.isEmpty() && !recovery.endsWith("at once")) {
                clauses.add(NumberFormat.quoted(cost.a()) + recovery);
            }
        } else {
            clauses.add(called + " multiplies response p99 during it by "
                    + ComparisonSentence.ratio(cost).replaceFirst("×", ""));
        }
        costs.stream()
                .skip(1)
                .map(c -> NumberFormat.quoted(c.a()) + " " + ComparisonSentence.ratio(c))
                .forEach(clauses::add);
        String verb = " recovers ";
        for (ComparisonResult share : f.run().comparisons()) {
            if (share.to() != null && share.metric().equals(cost.metric()) && share.ratio() != null) {
                boolean seen = share.ratio() > 0 && !share.verdict().equals(Comparisons.like(share.b()));
                String recovered = seen ? ComparisonSentence.ratio(share) : "nothing visible";
                clauses.add(NumberFormat.quoted(share.a()) + verb + recovered);
                verb = seen ? " " : " recovers ";
            }
        }
        return AnswerSentence.each("figure", "", clauses, f.tooFew());
    }

    private static AnswerSentence effects(String name, Map<String, List<TrialResult>> hits, RunFindings f) {
        String called = NumberFormat.quoted(name);
        if (hits.size() > MOST_TOLD) {
            return AnswerSentence.each(
                    "figure", called + ", in " + hits.size() + " variants: ", extremes(name, hits), f.tooFew());
        }
        boolean several = f.variants().size() > 1;
        List<String> clauses = new ArrayList<>();
        hits.forEach((variant, own) -> clauses.add((several ? NumberFormat.quoted(variant) : "the load") + " "
                + effectText(
                        own,
                        name,
                        clauses.stream().anyMatch(clause -> clause.contains(EVERYWHERE)) ? "" : EVERYWHERE)));
        return AnswerSentence.each("variant", called + ": ", clauses, f.tooFew());
    }

    private static List<String> extremes(String name, Map<String, List<TrialResult>> hits) {
        Map<String, Double> lost = new LinkedHashMap<>();
        Map<String, Double> gaps = new LinkedHashMap<>();
        hits.forEach((variant, own) -> {
            Long worst = worstLoss(own);
            if (worst != null) {
                lost.put(variant, (double) worst);
            }
            double gap = Median.of(disturbed(name, own)
                    .filter(one -> !one.missed())
                    .mapToDouble(DisturbanceResult::gap)
                    .toArray());
            if (!Double.isNaN(gap)) {
                gaps.put(variant, gap);
            }
        });
        return List.of(
                extreme(lost, "lost nothing", "lost most, ", count -> NumberFormat.count((long) (double) count)),
                extreme(gaps, "never stopped for a second", "stopped longest, for ", NumberFormat::seconds));
    }

    private static String extreme(Map<String, Double> values, String none, String most, Function<Double, String> text) {
        long without = values.values().stream().filter(value -> value == 0).count();
        String few = without == values.size() ? "all of them " + none : without + " of them " + none;
        return values.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(worst -> worst.getValue() > 0)
                .map(worst -> few + ", and " + NumberFormat.quoted(worst.getKey()) + " " + most
                        + text.apply(worst.getValue()))
                .orElse(few);
    }

    private static String effectText(List<TrialResult> own, String name, String where) {
        List<DisturbanceResult> all =
                disturbed(name, own).filter(one -> !one.missed()).toList();
        if (all.isEmpty()) {
            return "is not disturbed, because the broker led no partition";
        }
        double gap = Median.of(all.stream().mapToDouble(DisturbanceResult::gap).toArray());
        LatencyResult during = LatencyResult.median(own, trial -> trial.responseDuring(name));
        String slow = during.p99() == null ? "" : ", p99 " + NumberFormat.latency(during, 99) + " during it";
        String stop = gap > 0 ? "has a gap of " + NumberFormat.seconds(gap) + where : "never stops for a second" + slow;
        String recovery = recovery(all);
        return stop + lag(own) + (recovery.isEmpty() ? "" : ",") + recovery + losses(own);
    }

    private static String lag(List<TrialResult> own) {
        Double lag = Median.of(own, trial -> {
            Long most = trial.figures().lag().max();
            return most == null ? null : Double.valueOf(most);
        });
        return lag == null ? "" : ", lag reaches " + NumberFormat.count(Math.round(lag));
    }

    private static String recovery(List<DisturbanceResult> all) {
        Double recovery = Median.of(all, DisturbanceResult::recovery);
        if (recovery == null) {
            return "";
        }
        long never = all.stream().filter(one -> !one.recovered()).count();
        if (never > 0) {
            String some = all.size() == 1 ? "" : " in " + never + " of " + all.size() + " trials";
            return " has not recovered within " + NumberFormat.seconds(recovery) + some;
        }
        boolean ended = all.stream().allMatch(one -> one.to() != null);
        String time = NumberFormat.seconds(recovery);
        return " recovers " + (recovery == 0 ? "at once" : ended ? time + " later" : "in " + time);
    }

    private static String losses(List<TrialResult> own) {
        Long worst = worstLoss(own);
        return worst == null ? "" : worst == 0 ? ", nothing lost" : ", " + NumberFormat.count(worst) + " lost";
    }

    private static @Nullable Long worstLoss(List<TrialResult> own) {
        return Known.most(own, trial -> trial.figures().count(Count.LOST));
    }

    private static Stream<DisturbanceResult> disturbed(String name, List<TrialResult> trials) {
        return trials.stream().flatMap(trial -> Stream.ofNullable(trial.disturbance(name)));
    }

    static List<AnswerSentence> catchUp(RunFindings f) {
        List<TrialResult> caught =
                f.whole().stream().filter(trial -> trial.catchUp() != null).toList();
        List<String> variants = TrialResult.variants(caught);
        List<String> clauses = new ArrayList<>();
        for (String variant : variants) {
            List<CatchUpResult> own = Known.all(TrialResult.ofVariant(variant, caught), TrialResult::catchUp)
                    .toList();
            String before = variants.size() == 1 ? "The " : NumberFormat.quoted(variant) + ": the ";
            Stream<String> parts =
                    Stream.of(before + drained(own), producers(own)).filter(part -> !part.isEmpty());
            if (variants.size() == 1) {
                clauses.addAll(parts.toList());
            } else {
                clauses.add(parts.collect(Collectors.joining(", ")));
            }
        }
        return clauses.isEmpty()
                ? List.of()
                : List.of(AnswerSentence.each(variants.size() == 1 ? "" : "variant", "", clauses, f.tooFew()));
    }

    private static String drained(List<CatchUpResult> own) {
        Double mebibytes = Median.of(own, CatchUpResult::mebibytes);
        Double behind = Median.of(own, one -> (double) one.behind());
        String backlog = "backlog of "
                + (mebibytes == null ? NumberFormat.number(behind) + " records" : StressResult.size(mebibytes));
        double seconds = Known.orNaN(Median.of(own, CatchUpResult::seconds));
        Double rate = Median.of(own, CatchUpResult::recordsPerSecond);
        String speed = rate == null ? "" : " at " + NumberFormat.rate(rate);
        long never = own.stream().filter(one -> !one.reached()).count();
        if (never == 0) {
            return backlog + " is drained in " + NumberFormat.seconds(seconds) + speed;
        }
        Double expected = Median.of(own, CatchUpResult::expectedSeconds);
        String some = own.size() == 1 ? "" : " in " + never + " of " + own.size() + " trials";
        return backlog + " is not drained within " + NumberFormat.seconds(seconds) + some + speed
                + (expected == null
                        ? ": the readers do not catch up"
                        : ": at this rate it takes " + NumberFormat.seconds(expected));
    }

    private static String producers(List<CatchUpResult> own) {
        LatencyResult usually = LatencyResult.median(own, CatchUpResult::usual);
        LatencyResult meantime = LatencyResult.median(own, CatchUpResult::during);
        Double usual = usually.p99();
        Double during = meantime.p99();
        if (usual == null || during == null) {
            return "";
        }
        Welch welch = Welch.of(values(own, CatchUpResult::during), values(own, CatchUpResult::usual));
        String interval = welch.fewest() < Welch.ENOUGH || Double.isNaN(welch.low())
                ? ""
                : " [" + NumberFormat.times(welch.low()) + " to " + NumberFormat.times(welch.high()) + "]";
        String ratio = usual > 0 ? ", " + NumberFormat.times(during / usual) + interval : "";
        String meanwhile = "meanwhile the producers' response p99 ";
        if (own.stream().anyMatch(one -> one.before().count() == 0)) {
            return meanwhile + "is " + NumberFormat.latency(meantime, 99) + " and afterwards "
                    + NumberFormat.latency(usually, 99) + ratio;
        }
        String verb = during > usual ? "rises" : "goes";
        return meanwhile + verb + " from " + NumberFormat.latency(usually, 99) + " to "
                + NumberFormat.latency(meantime, 99) + ratio;
    }

    private static double[] values(List<CatchUpResult> own, Function<CatchUpResult, LatencyResult> of) {
        return Known.all(own, one -> of.apply(one).p99())
                .mapToDouble(p99 -> p99)
                .toArray();
    }
}
