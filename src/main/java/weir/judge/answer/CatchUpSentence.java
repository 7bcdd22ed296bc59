package weir.judge.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Median;
import weir.measure.Welch;
import weir.results.value.CatchUpResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** Says how readers caught up and what that did to the producers: of each variant, the median over its trials. */
final class CatchUpSentence {
    private static final double GIB = 1024;

    private CatchUpSentence() {}

    /** Empty where no reader had anything to catch up with. */
    static List<AnswerSentence> of(RunFindings f) {
        List<TrialResult> caught =
                f.whole().stream().filter(trial -> trial.catchUp() != null).toList();
        List<String> variants =
                caught.stream().map(TrialResult::variant).distinct().toList();
        List<String> clauses = new ArrayList<>();
        for (String variant : variants) {
            List<CatchUpResult> own = caught.stream()
                    .filter(trial -> trial.variant().equals(variant))
                    .map(trial -> Objects.requireNonNull(trial.catchUp()))
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
        String backlog =
                "backlog of " + (mebibytes == null ? NumberFormat.number(known(behind)) + " records" : size(mebibytes));
        double seconds = known(Median.of(own, CatchUpResult::seconds));
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
                        ? ": the readers do not come nearer"
                        : ": at this pace it takes " + NumberFormat.seconds(expected));
    }

    private static String producers(List<CatchUpResult> own) {
        LatencyResult usually = median(own, CatchUpResult::usual);
        LatencyResult meantime = median(own, CatchUpResult::during);
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

    private static LatencyResult median(List<CatchUpResult> own, Function<CatchUpResult, LatencyResult> of) {
        return LatencyResult.median(own.stream().map(of).toList());
    }

    private static double[] values(List<CatchUpResult> own, Function<CatchUpResult, LatencyResult> of) {
        return own.stream()
                .map(one -> of.apply(one).p99())
                .filter(Objects::nonNull)
                .mapToDouble(p99 -> p99)
                .toArray();
    }

    private static double known(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    static String size(double mebibytes) {
        return mebibytes >= GIB
                ? NumberFormat.number(mebibytes / GIB) + " GiB"
                : NumberFormat.number(mebibytes) + " MiB";
    }
}
