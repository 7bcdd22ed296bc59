package weir.judge.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.measure.Latency;

class CatchUpTest {
    @Test
    void backlogExcludesRecordsAddedBeforeTheFirstSample() {
        assertThat(new CatchUpJudge.CatchUp(true, 1, 25_589, 0, Double.NaN).backlog(25_576, 500))
                .isEqualTo(25_576);
    }

    @Test
    void backlogIncludesForeignRecordsAndExcludesReadOnes() {
        assertThat(new CatchUpJudge.CatchUp(true, 1, 90_000, 0, Double.NaN).backlog(25_576, 500))
                .isEqualTo(90_000);
        assertThat(new CatchUpJudge.CatchUp(true, 1, 25_000, 0, Double.NaN).backlog(25_576, 500))
                .isEqualTo(25_000);
    }

    /** One reading per second, the first one when the readers begin. */
    private static CatchUpJudge.CatchUp of(double... lag) {
        SortedMap<Double, Double> looks = new TreeMap<>();
        for (int i = 0; i < lag.length; i++) {
            looks.put((double) i, lag[i]);
        }
        return CatchUpJudge.CatchUp.of(looks, 100);
    }

    @Test
    void catchUpTimeIsInterpolatedBetweenTwoLagSamples() {
        CatchUpJudge.CatchUp found = of(1_000, 700, 400, 100, 0, 0, 0);
        assertThat(found.reached()).isTrue();
        assertThat(found.seconds()).isCloseTo(3, within(1e-9));
        assertThat(of(1_000, 600, 200, 0, 0, 0).seconds()).isCloseTo(2.5, within(1e-9));
    }

    @Test
    void readerWithoutLagCatchesUpAtOnce() {
        CatchUpJudge.CatchUp found = of(40, 30, 50, 20);
        assertThat(found.reached()).isTrue();
        assertThat(found.seconds()).isZero();
    }

    @Test
    void catchUpIsDelayedIfLagRisesWithinThreeSamples() {
        CatchUpJudge.CatchUp found = of(500, 300, 100, 50, 300, 100, 80, 60);
        assertThat(found.reached()).isTrue();
        assertThat(found.seconds()).isCloseTo(5, within(1e-9));
    }

    @Test
    void lagAfterThreeLowSamplesDoesNotDelayTheCatchUp() {
        assertThat(of(500, 100, 100, 100, 900, 900).seconds()).isCloseTo(1, within(1e-9));
    }

    @Test
    void unfinishedCatchUpHasAnExpectedTime() {
        CatchUpJudge.CatchUp found = of(1_100, 1_000, 900, 800);
        assertThat(found.reached()).isFalse();
        assertThat(found.seconds()).isEqualTo(3);
        assertThat(found.left()).isEqualTo(800);
        assertThat(found.expected()).isCloseTo(10, within(1e-9));
    }

    @Test
    void catchUpRequiresThreeLowLagSamples() {
        assertThat(of(1_000, 500, 0, 0).reached()).isFalse();
        assertThat(of(1_000, 500, 0, 0).expected()).isEqualTo(3);
    }

    @Test
    void whoseLagGrowsNeverCatchesUp() {
        CatchUpJudge.CatchUp found = of(1_000, 1_200, 1_400);
        assertThat(found.reached()).isFalse();
        assertThat(found.expected()).isNaN();
        assertThat(of(1_000).expected()).isNaN();
    }

    @Test
    void catchUpRequiresALagSample() {
        assertThatThrownBy(() -> CatchUpJudge.CatchUp.of(new TreeMap<>(), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void latencyIsSplitAtTheEndOfTheCatchUp() {
        Latency latency = new Latency();
        latency.record(1_000_000, 10);
        latency.record(2_000_000_000L, 3);
        latency.recordAtLeast(5_000_000_000L, 2);
        Latency early = latency.between(0, 1_000_000_000L);
        Latency late = latency.between(1_000_000_000L, Long.MAX_VALUE);
        assertThat(early.count()).isEqualTo(10);
        assertThat(early.censored()).isZero();
        assertThat(late.count()).isEqualTo(5);
        assertThat(late.censored()).isEqualTo(2);
        assertThat(late.atLeastBeyond()).isCloseTo(60, within(0.1));
    }
}
