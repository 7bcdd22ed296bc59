package weir.judge.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.Comparisons;
import weir.results.value.BreakingPointResult;
import weir.results.value.CapacityResult;
import weir.results.value.ComparisonResult;
import weir.results.value.ExpectResult;
import weir.results.value.NumberFormat;

/** The sentence about the compared pairs of a file, each with a figure, an interval and a verdict. */
public final class ComparisonSentence {
    private static final Map<String, String> VERBS = Map.of(
            "acked/s",
            "acks %s the records of",
            "appended/s",
            "appends %s the records of",
            "received/s",
            "reads %s the records of",
            "catch-up",
            "takes %s as long to catch up as",
            BreakingPointResult.METRIC,
            "breaks at %s the rate of",
            CapacityResult.METRIC,
            "sustains %s the rate of");

    private static final int MOST_METRICS = 4;

    private ComparisonSentence() {}

    static List<AnswerSentence> of(RunFindings f) {
        if (f.asked().compare().isEmpty() || f.variants().size() < 2) {
            return List.of();
        }
        List<ComparisonResult> capacities = f.run().comparisons().stream()
                .filter(c -> c.metric().equals(CapacityResult.METRIC) && c.ratio() != null)
                .toList();
        return Stream.of(capacities, primary(f.run().comparisons(), f.run().expect()))
                .filter(compared -> !compared.isEmpty())
                .map(compared -> sentence(compared, f.tooFew()))
                .toList();
    }

    public static List<ComparisonResult> primary(List<ComparisonResult> comparisons, List<ExpectResult> expect) {
        Map<String, ComparisonResult> primary = new LinkedHashMap<>();
        for (ComparisonResult one : comparisons) {
            if (!one.metric().equals(CapacityResult.METRIC)) {
                primary.merge(
                        one.pair(), one, (first, next) -> !asked(first, expect) && asked(next, expect) ? next : first);
            }
        }
        return List.copyOf(primary.values());
    }

    private static boolean asked(ComparisonResult one, List<ExpectResult> expect) {
        return expect.stream().anyMatch(each -> each.text().startsWith(one.metric() + " of " + one.pair() + " "));
    }

    private static AnswerSentence sentence(List<ComparisonResult> compared, String tooFew) {
        List<String> clauses = new ArrayList<>();
        @Nullable ComparisonResult before = null;
        for (ComparisonResult one : compared) {
            clauses.add(clause(one, before) + verdict(one, tooFew));
            before = one;
        }
        boolean none = compared.stream().allMatch(one -> one.verdict().equals(Comparisons.NO_VERDICT));
        return AnswerSentence.each("pair", "", clauses, none ? tooFew : "");
    }

    private static String clause(ComparisonResult one, @Nullable ComparisonResult before) {
        String a = NumberFormat.quoted(one.a());
        boolean same = before != null
                && before.ratio() != null
                && before.metric().equals(one.metric())
                && before.b().equals(one.b())
                && Objects.equals(before.to(), one.to());
        if (one.ratio() == null) {
            return one.verdict().equals(Comparisons.NO_WAY)
                    ? a + " has no difference to recover in " + one.metric()
                    : a + " has " + one.writtenA() + " " + one.metric() + ", " + NumberFormat.quoted(one.b()) + " "
                            + one.writtenB();
        }
        if (same) {
            return a + " " + ratio(one);
        }
        if (one.to() != null) {
            return a + " is " + ratio(one) + " of the way from " + NumberFormat.quoted(one.b()) + " to "
                    + NumberFormat.quoted(one.to()) + " in " + one.metric();
        }
        return a + " "
                + String.format(VERBS.getOrDefault(one.metric(), "has %s the " + one.metric() + " of"), ratio(one))
                + " " + NumberFormat.quoted(one.b());
    }

    public static String ratio(ComparisonResult one) {
        String interval = one.interval().replace("×", "").replace(" %", "").replace(" … ", ", ");
        return one.writtenRatio() + (interval.equals(NumberFormat.MISSING) ? "" : " [" + interval + "]");
    }

    private static String verdict(ComparisonResult one, String tooFew) {
        boolean atTheEnd = one.verdict().equals(Comparisons.NO_VERDICT) && !tooFew.isEmpty();
        String verdict = atTheEnd || (one.ratio() == null && one.to() != null) ? "" : ", " + one.verdict();
        return verdict + (one.note().isEmpty() ? "" : " (" + one.note() + ")");
    }

    /**
     * The answer if the experiment compares a variant with itself: the smallest detectable difference. Empty without
     * enough repeats for a verdict.
     */
    static List<AnswerSentence> noiseFloor(RunFindings f) {
        if (!f.asked().againstItself()) {
            return List.of();
        }
        List<ComparisonResult> judged = f.run().comparisons().stream()
                .filter(c -> c.visible() != null && !c.verdict().equals(Comparisons.NO_VERDICT))
                .toList();
        if (judged.isEmpty()) {
            return List.of();
        }
        ComparisonResult first = judged.get(0);
        String name = NumberFormat.quoted(first.b());
        String floor = NumberFormat.listed(judged.stream()
                .limit(MOST_METRICS)
                .map(c -> NumberFormat.change(c.visible()) + " in " + c.metric())
                .toList());
        List<ComparisonResult> apart = judged.stream()
                .filter(c -> !c.verdict().equals(Comparisons.SAME))
                .toList();
        if (apart.isEmpty()) {
            return List.of(AnswerSentence.of(List.of(
                    name + " is not distinguishable from itself",
                    "in " + f.of(first.b()).size() + " trials per side, the smallest visible difference is " + floor)));
        }
        ComparisonResult worst = apart.get(0);
        return List.of(
                AnswerSentence.of(name + " differs from itself: " + worst.metric() + " " + worst.text()),
                AnswerSentence.of(List.of(
                        "Chance alone causes a difference in one of twenty runs",
                        "if the next run also has a difference, this machine drifts, and smaller ones mean nothing")));
    }
}
