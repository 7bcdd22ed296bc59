package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import weir.measure.Latency;
import weir.plan.CaveatType;
import weir.plan.Sentence;
import weir.results.Caveat;
import weir.results.Event;
import weir.results.Row;
import weir.results.TrialResult;
import weir.results.Tried;
import weir.results.Tried.Outcome;

class HoldingTest {
    private static final double SECONDS = 60;

    private record Past(TrialResult result, List<Row> windows) implements Evidence {
        @Override
        public SortedMap<String, Latency> latencies() {
            return new TreeMap<>();
        }

        @Override
        public void latencies(Predicate<String> names, BiConsumer<Double, Latency> window) {
            // The figures of these trials are all kept.
        }

        @Override
        public List<Event> events() {
            return List.of();
        }
    }

    private static Tried tried(Sample sample, double[] lags, Caveat... doubts) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < lags.length; i++) {
            Row.Spread none = Row.Spread.NONE;
            rows.add(new Row(
                    10 + i, 1, 2, 1_000, 1_000, 1_000, 0, 1_000, 0, 0, none, none, none, none, none, none, lags[i], 0));
        }
        return new Holding(List.of(Sentence.of("response p99 < 50ms")))
                .of(7, 1_000, new Past(sample.trial("a", 1), rows), List.of(doubts));
    }

    private static Tried tried(Sample sample, Caveat... doubts) {
        return tried(sample, new double[] {3, 4, 3, 5, 3}, doubts);
    }

    @Test
    void aTrialWithinItsLimitsHolds() {
        assertThat(tried(Sample.GOOD)).isEqualTo(new Tried(7, 1_000, SECONDS, Outcome.HELD, ""));
    }

    @Test
    void aLimitThatDoesNotHoldIsTheReason() {
        assertThat(tried(Sample.GOOD.p99(80)))
                .isEqualTo(new Tried(7, 1_000, SECONDS, Outcome.REFUSED, "response p99 was 80.0 ms"));
    }

    @Test
    void whatIsNotAchievedOrLostIsRefusedWithoutBeingAsked() {
        // A hundredth of a minute is more than what is on its way.
        assertThat(tried(Sample.GOOD.acked(990)).why()).isEqualTo("achieved 99.0 %");
        assertThat(tried(Sample.GOOD.acked(999)).outcome()).isEqualTo(Outcome.HELD);
        assertThat(tried(Sample.GOOD.lost(3L)).why()).isEqualTo("3 lost");
    }

    @Test
    void readersThatFallBehindAreTheReason() {
        assertThat(tried(Sample.GOOD, new double[] {0, 60, 110, 170, 220}).why())
                .isEqualTo("lag grew by 55/s");
        // A single bad second is no growth, and what 100 ms bring is on its way.
        assertThat(tried(Sample.GOOD, new double[] {0, 0, 900, 0, 0}).outcome()).isEqualTo(Outcome.HELD);
        assertThat(tried(Sample.GOOD, new double[] {0, 10, 20, 30, 40}).outcome())
                .isEqualTo(Outcome.HELD);
    }

    @Test
    void aGeneratorThatWasLateIsNoReasonToBlameTheBrokers() {
        Caveat late = Caveat.of(CaveatType.GENERATOR_LATE, 7, "it was");
        assertThat(tried(Sample.GOOD.p99(80).late(40), late))
                .isEqualTo(new Tried(
                        7,
                        1_000,
                        SECONDS,
                        Outcome.OURS,
                        "response p99 was 80.0 ms, the generator was late by 40.0 ms at p99"));
        // Late, and still within the limits: the brokers did what was asked.
        assertThat(tried(Sample.GOOD.p99(20).late(10), late).outcome()).isEqualTo(Outcome.HELD);
    }

    @Test
    void aTrialThatCannotBeTrustedIsRefusedWithoutBlamingTheGenerator() {
        Caveat clock = Caveat.of(CaveatType.CLOCK_STEPPED, 7, "the clock went back by a second");
        assertThat(tried(Sample.GOOD, clock))
                .isEqualTo(new Tried(7, 1_000, SECONDS, Outcome.REFUSED, "the clock went back by a second"));
    }
}
