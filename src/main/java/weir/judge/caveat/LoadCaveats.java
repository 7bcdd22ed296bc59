package weir.judge.caveat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import weir.judge.FailedOperations;
import weir.measure.Balance;
import weir.measure.Count;
import weir.measure.Latency;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/** The caveats that follow from the counts and the course of a trial. */
public record LoadCaveats(CaveatCollector caveats) {
    public static final CaveatType LEDGER_DOES_NOT_BALANCE = CaveatType.named("ledger-does-not-balance");
    public static final CaveatType UNREAD = CaveatType.named("unread");
    static final CaveatType EXPIRED = CaveatType.named("expired");
    static final CaveatType MOST_FAILED = CaveatType.named("most-failed");
    public static final CaveatType THIN_PERCENTILE = CaveatType.named("thin-percentile");
    public static final CaveatType EARLIER_RECORDS_COUNTED = CaveatType.named("earlier-records-counted");
    static final CaveatType WARM_UP_CUT_SHORT = CaveatType.named("warm-up-cut-short");
    static final CaveatType FIRST_TRIAL_COLD = CaveatType.named("first-trial-cold");
    public static final CaveatType NOT_STEADY = CaveatType.named("not-steady");
    static final CaveatType THROTTLED_BY_QUOTA = CaveatType.named("throttled-by-quota");
    public static final CaveatType NOTHING_MEASURED = CaveatType.named("nothing-measured");

    private static final double WARM_SECONDS = 10;
    private static final double ABOVE = 1.02;

    private static final double FARTHEST = 99.99;
    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9, FARTHEST);

    private static final List<Count> BALANCED =
            List.of(Count.DUE, Count.SENT, Count.UNSENT, Count.ACKED, Count.FAILED, Count.ABORTED, Count.UNRESOLVED);

    public void balance(Balance balance) {
        if (!balance.balances()) {
            LongStream counts =
                    LongStream.concat(BALANCED.stream().mapToLong(balance::of), LongStream.of(balance.resolvedTwice()));
            caveats.add(LEDGER_DOES_NOT_BALANCE, counts.boxed().toArray());
        }
        caveats.addIf(balance.of(Count.UNREAD) > 0, "", UNREAD, balance.of(Count.UNREAD));
        caveats.addIf(balance.of(Count.EXPIRED) > 0, "", EXPIRED, balance.of(Count.EXPIRED));
    }

    public void failed(TrialResult trial) {
        caveats.addIf(trial.figures().mostFailed(), "", MOST_FAILED, FailedOperations.sentence(trial));
    }

    public void thin(Figures figures) {
        LatencyResult response = figures.response().count() > 0 ? figures.response() : figures.e2e();
        long count = response.count();
        double first = PERCENTILES.stream()
                .filter(percentile -> Latency.thin(count, percentile))
                .findFirst()
                .orElse(100.0);
        if (count > 0 && first < 100) {
            String name = "p" + BigDecimal.valueOf(first).stripTrailingZeros().toPlainString();
            String what = figures.operates() ? "operations" : "messages";
            caveats.add(THIN_PERCENTILE, count, what, name, first == FARTHEST ? "" : " and beyond");
        }
    }

    void earlier(Figures figures, long acked, long received) {
        String evidence = Stream.of(
                        earlier(RateKind.ACKED, "acked", figures, acked),
                        earlier(RateKind.RECEIVED, "received", figures, received))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        caveats.addIf(!evidence.isEmpty(), "", EARLIER_RECORDS_COUNTED, evidence);
    }

    private static String earlier(RateKind rate, String what, Figures figures, long earlier) {
        return earlier == 0 || figures.orZero(rate) <= ABOVE * figures.orZero(RateKind.OFFERED)
                ? ""
                : what + " " + NumberFormat.rate(figures.rate(rate)) + " of "
                        + NumberFormat.rate(figures.offeredPerSecond()) + " offered; " + what + " includes "
                        + NumberFormat.count(earlier) + " records that were due before the measured phase";
    }

    public void warmUpCutShort(double seconds) {
        caveats.add(WARM_UP_CUT_SHORT, seconds);
    }

    public void cold(double warmedUpSeconds) {
        caveats.addIf(warmedUpSeconds < WARM_SECONDS, "", FIRST_TRIAL_COLD, NumberFormat.seconds(warmedUpSeconds));
    }

    public void drift(Drift throughput, Drift latency) {
        if (throughput.drifts()) {
            drift("rates, and every latency at these rates", "", throughput, NumberFormat::rate);
        } else if (latency.drifts()) {
            drift("every latency", "p50 ", latency, NumberFormat::millis);
        }
    }

    private void drift(String figures, String what, Drift drift, Function<Double, String> written) {
        String first = written.apply(drift.first());
        String last = written.apply(drift.last());
        String side = drift.rises() ? "above" : "below";
        caveats.add(NOT_STEADY, figures, what, first, last, drift.share() * 100, side);
    }

    public void throttled(double millis) {
        caveats.addIf(millis > 0, "", THROTTLED_BY_QUOTA, millis);
    }

    public void interrupted(String reason) {
        caveats.addAs("ended", Caveat.INTERRUPTED, reason);
    }

    /** {@code before} is the number of messages that readers received in the warm-up. */
    public void nothing(double seconds, long before) {
        String warmUp = before == 0 ? "" : String.format(Locale.ROOT, "; the warm-up received %,d messages", before);
        caveats.add(NOTHING_MEASURED, NumberFormat.seconds(seconds), warmUp);
    }

    public void killed(String why) {
        caveats.addAs("killed", Caveat.INTERRUPTED, why.isEmpty() ? "" : " (" + why + ")");
    }
}
