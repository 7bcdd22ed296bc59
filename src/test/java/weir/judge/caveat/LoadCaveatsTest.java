package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.plan.syntax.CaveatType.Level;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.RateKind;
import weir.run.Sample;

class LoadCaveatsTest {
    private final CaveatCollector caveats = new CaveatCollector(3);
    private final LoadCaveats load = new LoadCaveats(caveats);

    private Caveat only() {
        assertThat(caveats.found()).hasSize(1);
        return caveats.found().get(0);
    }

    private static Balance balance(long sent, long acked, long unread, long expired) {
        return Balances.of(
                "due 100, sent $1, acked $2, received $2, unread $3, expired $4", sent, acked, unread, expired);
    }

    @Test
    void aLedgerThatDoesNotBalanceMakesTheTrialInvalid() {
        load.balance(balance(100, 99, 0, 0));
        assertThat(only().is(LoadCaveats.LEDGER_DOES_NOT_BALANCE)).isTrue();
        assertThat(only().level()).isEqualTo(Level.INVALID);
        assertThat(only().trial()).isEqualTo(3);
    }

    private static Figures rates(double offered, double acked, double received) {
        return Trials.figures(
                Map.of(),
                Map.of(RateKind.OFFERED, offered, RateKind.ACKED, acked, RateKind.RECEIVED, received),
                Map.of());
    }

    @Test
    void rateAboveOfferedReportsItsEarlierRecords() {
        load.earlier(rates(300, 305, 305), 50, 50);
        load.earlier(rates(300, 325, 325), 0, 0);
        assertThat(caveats.found()).isEmpty();
        load.earlier(rates(300, 325, 301), 250, 10);
        assertThat(only().is(LoadCaveats.EARLIER_RECORDS_COUNTED)).isTrue();
        assertThat(only().evidence())
                .isEqualTo("acked 325/s of 300/s offered; acked includes 250 records that were due before the measured"
                        + " phase");
    }

    @Test
    void unreadRecordsRaiseADoubtAndNoLoss() {
        load.balance(balance(100, 100, 5, 0));
        assertThat(only().is(LoadCaveats.UNREAD)).isTrue();
        assertThat(only().level()).isEqualTo(Level.DOUBT);
    }

    @Test
    void recordsRemovedBeforeReadingRaiseExpired() {
        load.balance(balance(100, 100, 0, 7));
        assertThat(only().is(LoadCaveats.EXPIRED)).isTrue();
        assertThat(only().evidence()).contains("7 records");
    }

    @Test
    void aBalancedLedgerLeavesNoDoubt() {
        load.balance(balance(100, 100, 0, 0));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void anAcceptedCaveatIsLoweredByOneLevelWithTheReason() {
        load.balance(balance(100, 99, 5, 0));
        List<Caveat> accepted = CaveatCollector.accept(
                caveats.found(),
                new TreeMap<>(Map.of("unread", "we only look at the producers", "ledger-does-not-balance", "known")));
        assertThat(accepted).extracting(Caveat::level).containsExactly(Level.DOUBT, Level.NOTE);
        assertThat(accepted.get(1).evidence()).contains("we only look at the producers");
    }

    @Test
    void fewMessagesMakeAThinPercentile() {
        load.thin(Sample.GOOD.count(5_000).figures());
        assertThat(only().is(LoadCaveats.THIN_PERCENTILE)).isTrue();
        assertThat(only().weakens()).isEqualTo("p99.9 and beyond");
    }

    @Test
    void ofTenMessagesEvenTheMedianIsThin() {
        load.thin(Sample.GOOD.count(10).figures());
        assertThat(only().weakens()).isEqualTo("p50 and beyond");
        assertThat(only().evidence()).endsWith("fewer than ten are beyond p50");
    }

    @Test
    void theFarthestPercentileIsNotRounded() {
        load.thin(Sample.GOOD.count(78_000).figures());
        assertThat(only().weakens()).isEqualTo("p99.99");
        assertThat(only().evidence()).endsWith("fewer than ten are beyond p99.99");
    }

    @Test
    void manyMessagesMakeNone() {
        load.thin(Sample.GOOD.count(200_000).figures());
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void theFirstTrialOfManyIsColdUnlessItWarmedUp() {
        load.cold(10);
        assertThat(caveats.found()).isEmpty();
        load.cold(2);
        assertThat(only().is(LoadCaveats.FIRST_TRIAL_COLD)).isTrue();
        assertThat(only().evidence()).contains("warm-up of 2 s");
    }

    private static double[] series(double from, double to) {
        double[] series = new double[60];
        Arrays.setAll(series, i -> from + (to - from) * i / 59);
        return series;
    }

    private void drift(double[] rates, double[] latencies) {
        load.drift(Drift.ofThroughput(rates), Drift.ofLatency(latencies));
    }

    @Test
    void driftingRateRaisesNotSteady() {
        drift(series(1_000, 700), series(5, 5));
        assertThat(only().is(LoadCaveats.NOT_STEADY)).isTrue();
        assertThat(only().level()).isEqualTo(Level.INVALID);
        assertThat(only().evidence()).contains("/s").contains("below");
    }

    @Test
    void aLatencyThatDriftsUnderASteadyRateIsNotSteady() {
        drift(series(1_000, 1_000), series(5, 12));
        assertThat(only().weakens()).isEqualTo("every latency");
        assertThat(only().evidence()).contains("ms").contains("above");
    }

    @Test
    void constantRateRaisesNoCaveat() {
        drift(series(1_000, 1_000), series(5, 5));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void aQuotaShows() {
        load.throttled(0);
        assertThat(caveats.found()).isEmpty();
        load.throttled(120);
        assertThat(only().is(LoadCaveats.THROTTLED_BY_QUOTA)).isTrue();
    }

    @Test
    void anInterruptionAndAWarmUpCutShortSayWhy() {
        load.interrupted("only 3 % of the disk is free");
        load.warmUpCutShort(120);
        assertThat(caveats.found()).extracting(Caveat::type).containsExactly("interrupted", "warm-up-cut-short");
        assertThat(caveats.found().get(0).evidence()).contains("3 % of the disk");
        assertThat(caveats.found().get(1).evidence()).contains("120 s");
    }
}
