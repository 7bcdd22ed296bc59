package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import weir.judge.ExpectationJudgeTest.Past;
import weir.measure.LatencyKind;
import weir.measure.Trend;
import weir.plan.Sentence;
import weir.plan.syntax.CaveatType;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.Attempt;
import weir.results.value.Attempt.Outcome;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;
import weir.run.Sample;

class AttemptJudgeTest {
    private static final double SECONDS = 60;

    private static Attempt tried(Sample sample, double[] lags, Caveat... doubts) {
        List<WindowRow> rows = new ArrayList<>();
        for (int i = 0; i < lags.length; i++) {
            rows.add(WindowRows.of(10 + i, 2, 1_000, 1_000, 0, 1_000, Map.of(), lags[i], 0));
        }
        return new AttemptJudge(List.of(Sentence.of("response p99 < 50ms")))
                .of(7, 1_000, Past.of(sample.trial("a", 1), rows), List.of(doubts));
    }

    private static Attempt tried(Sample sample, Caveat... doubts) {
        return tried(sample, new double[] {3, 4, 3, 5, 3}, doubts);
    }

    @Test
    void aTrialWithinItsLimitsHolds() {
        assertThat(tried(Sample.GOOD)).isEqualTo(new Attempt(7, 1_000, SECONDS, Outcome.SUSTAINED, ""));
    }

    @Test
    void refusedTrialReportsItsFailureReasons() {
        TrialResult failed = FailedOperationsTest.trial(100, 0, "RecordTooLargeException: too large");
        assertThat(new AttemptJudge(List.of())
                        .of(7, 1_000, Past.of(failed), List.of())
                        .why())
                .endsWith(", failed with RecordTooLarge: 100 (too large)");
    }

    /** Returns a trial at 12,000/s with these acks per second after two seconds of warm-up. All arrive. */
    private static Attempt tried(double... acked) {
        TrialSeries course = new TrialSeries();
        WindowRow.Spread latency = new WindowRow.Spread(3, 8, 9, 10);
        for (int i = 0; i < acked.length; i++) {
            long each = (long) acked[i];
            // A delayed sender takes due messages late.
            course.add(WindowRows.of(10 + i, 2, each, each, 0, 0, Map.of(LatencyKind.RESPONSE, latency), 0, 0));
        }
        double mean = DoubleStream.of(acked).average().orElse(0);
        double rate = 12_000;
        long count = (long) (rate * acked.length);
        Sample sample = new Sample(rate, mean, 40, 0.1, 0, 0L, count);
        StepResult step = new StepResult(
                rate,
                2,
                "12k/s",
                10,
                acked.length,
                sample.figures(),
                null,
                RateRule.growth(
                        course.queue(10, 10 + acked.length, rate), rate, course.lowestP99(10, 10 + acked.length)),
                null,
                null);
        TrialResult trial = sample.trial("a", 1).with(List.of(step));
        return new AttemptJudge(List.of(Sentence.of("response p99 < 300ms"))).of(7, rate, Past.of(trial), List.of());
    }

    @Test
    void slowlyGrowingQueueIsRefused() {
        // Two percent too much: after five seconds the queue is below 100 ms of the rate, and p99 is still small.
        assertThat(tried(11_760, 11_755, 11_765, 11_758, 11_762).why()).isEqualTo("the queue grew by 240/s");
        double[] minute = new double[30];
        Arrays.setAll(minute, i -> 11_928 + 300 * Math.sin(i));
        assertThat(tried(minute).why())
                .isEqualTo("the queue grew by "
                        + NumberFormat.rate(12_000
                                - Arrays.stream(minute)
                                        .map(Math::floor)
                                        .average()
                                        .orElseThrow()));
    }

    @Test
    void queueGrowthIsOfferedMinusAcked() {
        // A stall in the last second: the median slope by itself would be 2,000/s.
        double[] lengths = {0, 2_000, 4_000, 6_000, 8_000, 20_000};
        assertThat(RateRule.growth(lengths, 12_000, 5)).isEqualTo(20_000 / 5.0);
        double[] drained = {0, 2_000, 4_000, 6_000, 8_000, 0};
        assertThat(RateRule.growth(drained, 12_000, 5)).isZero();
        // A broker restarts, and the queue is nearly empty again at the end: 0.1/s is no growth.
        double[] restarted = {10, 12, 30, 400, 900, 1_500, 2_000, 2_600, 3_000, 11};
        assertThat(Trend.slope(restarted)).isPositive();
        assertThat(RateRule.growth(restarted, 500, 5)).isZero();
        // Readers first catch up with a warm-up, and then fall behind.
        double[] lags = new double[12];
        Arrays.setAll(lags, i -> i == 0 ? 12_000 : 1_000 * i);
        assertThat(RateRule.growth(lags, 10_000, 5)).isEqualTo(1_000);
    }

    @Test
    void aLongTrialShowsAGrowthThatAShortOneCannot() {
        // Nearly 0.5 % too much behind a limit on the path: 140 ms of queue after half a minute, 280 ms after one.
        double[] half = new double[30];
        Arrays.setAll(half, i -> 11_945 + (i % 2 == 0 ? 5 : -5));
        assertThat(tried(half).why()).isEqualTo("the queue grew by 55/s");
        assertThat(tried(Arrays.copyOf(half, 5)).why()).isEmpty();
        double[] hardly = new double[30];
        Arrays.fill(hardly, 11_990);
        assertThat(tried(hardly).why()).isEmpty();
    }

    @Test
    void fluctuatingQueueOrSingleDipIsNotGrowth() {
        assertThat(tried(12_100, 11_900, 12_080, 11_950, 11_970).outcome()).isEqualTo(Outcome.SUSTAINED);
        // A pause in the last tenth of the last second: all of the missing messages were in flight.
        assertThat(tried(12_000, 12_000, 12_000, 12_000, 10_900).outcome()).isEqualTo(Outcome.SUSTAINED);
        assertThat(tried(12_000, 12_000, 12_000, 12_000, 10_000).why()).isEqualTo("achieved 96 %");
        // With few messages, one more or less is no queue.
        double[] few = {12_000, 11_999.9, 12_000, 11_999.9, 12_000};
        assertThat(tried(few).outcome()).isEqualTo(Outcome.SUSTAINED);
    }

    @Test
    void aLimitThatDoesNotHoldIsTheReason() {
        assertThat(tried(Sample.GOOD.p99(80)))
                .isEqualTo(new Attempt(7, 1_000, SECONDS, Outcome.REFUSED, "response p99 was 80.0 ms"));
    }

    @Test
    void rateShortfallAndLossRefuseAnAttemptWithoutALimit() {
        // A hundredth of a minute is more than the messages in flight.
        assertThat(tried(Sample.GOOD.acked(990)).why()).isEqualTo("achieved 99.0 %");
        assertThat(tried(Sample.GOOD.acked(999)).outcome()).isEqualTo(Outcome.SUSTAINED);
        assertThat(tried(Sample.GOOD.lost(3L)).why()).isEqualTo("3 lost");
    }

    @Test
    void growingLagIsTheRefusalReason() {
        assertThat(tried(Sample.GOOD, new double[] {0, 60, 110, 170, 220}).why())
                .isEqualTo("lag grew by 55/s");
        // A single bad second is no growth, and the messages of 100 ms are in flight.
        assertThat(tried(Sample.GOOD, new double[] {0, 0, 900, 0, 0}).outcome()).isEqualTo(Outcome.SUSTAINED);
        assertThat(tried(Sample.GOOD, new double[] {0, 10, 20, 30, 40}).outcome())
                .isEqualTo(Outcome.SUSTAINED);
    }

    @Test
    void lateGeneratorAttemptIsNotABrokerRefusal() {
        Caveat late = Caveat.of(CaveatType.named("generator-late"), 7, "it was");
        assertThat(tried(Sample.GOOD.p99(80).late(40), late))
                .isEqualTo(new Attempt(
                        7,
                        1_000,
                        SECONDS,
                        Outcome.OURS,
                        "response p99 was 80.0 ms, the generator was late by 40.0 ms at p99"));
        // Late, but within the limits: the brokers met the demand.
        assertThat(tried(Sample.GOOD.p99(20).late(10), late).outcome()).isEqualTo(Outcome.SUSTAINED);
    }

    @Test
    void aTrialThatCannotBeTrustedIsRefusedWithoutBlamingTheGenerator() {
        Caveat clock = Caveat.of(CaveatType.named("clock-stepped"), 7, "the clock went back by a second");
        assertThat(tried(Sample.GOOD, clock))
                .isEqualTo(new Attempt(7, 1_000, SECONDS, Outcome.REFUSED, "the clock went back by a second"));
    }

    /** Returns a confirming trial with these median responses of its seconds. */
    private static Attempt confirmed(Sample sample, boolean repeatable, double[] medians, Caveat... doubts) {
        List<WindowRow> rows = new ArrayList<>();
        for (int i = 0; i < medians.length; i++) {
            WindowRow.Spread response = new WindowRow.Spread(medians[i], medians[i] + 5, medians[i] + 9, 999);
            rows.add(
                    WindowRows.of(i, i < 6 ? 1 : 2, 9, 9, 0, 0, Map.of(LatencyKind.RESPONSE, response), Double.NaN, 0));
        }
        return new AttemptJudge(List.of(Sentence.of("response p99 < 900ms")))
                .confirmed(
                        7,
                        1_000,
                        Duration.ofMillis(500),
                        repeatable,
                        Past.of(sample.trial("a", 1), rows),
                        List.of(doubts));
    }

    @Test
    void aQueueThatAPauseLeftAndThatKeepsItsLengthIsRefused() {
        double[] full = {3, 3, 450, 503, 503, 502, 501, 500, 500, 499, 498, 499};
        Attempt refused = confirmed(Sample.GOOD, true, full);
        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.confirmation()).isTrue();
        assertThat(refused.why())
                .isEqualTo(
                        "the queue of a pause of 500 ms had not drained at the end of the trial: p50 was 498 ms at the"
                                + " end and 3.00 ms in the calmest second");
        double[] drained = {3, 3, 450, 400, 300, 200, 100, 60, 4, 3, 3, 90};
        assertThat(confirmed(Sample.GOOD, true, drained).outcome()).isEqualTo(Outcome.SUSTAINED);
    }

    @Test
    void aConfirmationThatIsRefusedWhileOtherProgramsRunIsDisturbed() {
        double[] calm = {3, 3, 400, 3, 3, 3, 3, 3, 3};
        Caveat noisy = Caveat.of(CaveatType.named("host-noisy"), 7, "other programs used 1.2 of 2 cores");
        Attempt disturbed = confirmed(Sample.GOOD.acked(900), true, calm, noisy);
        assertThat(disturbed.outcome()).isEqualTo(Outcome.DISTURBED);
        assertThat(disturbed.why()).isEqualTo("achieved 90 %; disturbed: other programs used 1.2 of 2 cores");
        assertThat(confirmed(Sample.GOOD.acked(900), false, calm, noisy).outcome())
                .as("often enough")
                .isEqualTo(Outcome.REFUSED);
        assertThat(confirmed(Sample.GOOD, true, calm, noisy).outcome()).isEqualTo(Outcome.SUSTAINED);
        Caveat still = Caveat.of(
                CaveatType.named("generator-late"), 7, "the generator itself stood still for 40 % of the time");
        assertThat(confirmed(Sample.GOOD.acked(900), true, calm, still).outcome())
                .isEqualTo(Outcome.DISTURBED);
    }
}
