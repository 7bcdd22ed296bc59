package weir.results.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumberFormatTest {
    @Test
    void latenciesHaveThreeDigitsAndTurnIntoSeconds() {
        assertThat(NumberFormat.millis(0.8123)).isEqualTo("0.81 ms");
        assertThat(NumberFormat.millis(0.0042)).isEqualTo("0.0042 ms");
        assertThat(NumberFormat.millis(3.0)).isEqualTo("3.00 ms");
        assertThat(NumberFormat.millis(17.68)).isEqualTo("17.7 ms");
        assertThat(NumberFormat.millis(1582.4)).isEqualTo("1,582 ms");
        assertThat(NumberFormat.millis(12_540.0)).isEqualTo("12.5 s");
        assertThat(NumberFormat.millis(null)).isEqualTo("–");
    }

    @Test
    void percentileWithoutANumberOfSamplesIsNotMarkedAsThin() {
        LatencyResult few = new LatencyResult(1.0, null, 2.0, null, null, null, null, 5, null, null);
        LatencyResult unknown = new LatencyResult(1.0, null, 2.0, null, null, null, null, 0, null, null);
        assertThat(NumberFormat.latency(few, 99)).isEqualTo("2.00 ms (thin)");
        assertThat(NumberFormat.latency(unknown, 99)).isEqualTo("2.00 ms");
        assertThat(few.samples()).isEqualTo(5);
        assertThat(unknown.samples()).isNull();
        assertThat(LatencyResult.NONE.samples()).isZero();
        assertThat(LatencyResult.NONE.known()).isFalse();
    }

    @Test
    void aSmallFigureKeepsTwoDigits() {
        assertThat(NumberFormat.number(0.000512)).isEqualTo("0.00051");
        assertThat(NumberFormat.number(0.001)).isEqualTo("0.001");
        assertThat(NumberFormat.number(0.0)).isEqualTo("0");
    }

    @Test
    void stepNameHasTheCommonRateForm() {
        assertThat(NumberFormat.step("5000/s")).isEqualTo("5,000/s");
        assertThat(NumberFormat.step("12.5k/s per producer")).isEqualTo("12,500/s per producer");
        assertThat(NumberFormat.step("ramp 1k/s to 2M/s")).isEqualTo("ramp 1,000/s to 2,000,000/s");
        assertThat(NumberFormat.step("5,000/s")).isEqualTo("5,000/s");
        assertThat(NumberFormat.step("50MB/s")).isEqualTo("50MB/s");
        assertThat(NumberFormat.step("burst 1000 every 10s")).isEqualTo("burst 1000 every 10s");
    }

    @Test
    void almostAllIsNeverWrittenAsAll() {
        assertThat(NumberFormat.percent(1.0)).isEqualTo("100 %");
        assertThat(NumberFormat.percent(0.9996)).isEqualTo("99.96 %");
        assertThat(NumberFormat.percent(0.9949)).isEqualTo("99.4 %");
        assertThat(NumberFormat.percent(0.971)).isEqualTo("97 %");
        assertThat(NumberFormat.percent(4.46)).isEqualTo("446 %");
        assertThat(NumberFormat.percent(131.5 / 300)).isEqualTo("44 %");
        assertThat(NumberFormat.percent(0.9496)).isEqualTo("94 %");
    }

    @Test
    void countsAndRatesHaveCommas() {
        assertThat(NumberFormat.count(3_360_000L)).isEqualTo("3,360,000");
        assertThat(NumberFormat.rate(41_250.4)).isEqualTo("41,250/s");
        assertThat(NumberFormat.rate(12.5)).isEqualTo("12.5/s");
        assertThat(NumberFormat.rate(null)).isEqualTo("–");
        assertThat(NumberFormat.seconds(150.0)).isEqualTo("2.5 min");
    }

    @Test
    void percentilesThatUnendedMessagesReachAreLowerBounds() {
        LatencyResult some = new LatencyResult(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.5, 10_000, 98.0, null);
        assertThat(NumberFormat.latency(some, 90)).isEqualTo("2.00 ms");
        assertThat(NumberFormat.latency(some, 99)).isEqualTo("≥ 3.00 ms");
        assertThat(NumberFormat.latency(some, 100)).isEqualTo("≥ 6.00 ms");
        LatencyResult all = new LatencyResult(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.5, 10_000, null, null);
        assertThat(NumberFormat.latency(all, 99.9)).isEqualTo("4.00 ms");
        assertThat(NumberFormat.latency(all, 99.99)).isEqualTo("5.00 ms (thin)");
        assertThat(NumberFormat.latency(new LatencyResult(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.5, 10, null, null), 50))
                .isEqualTo("1.00 ms (thin)");
        assertThat(NumberFormat.latency(LatencyResult.NONE, 50)).isEqualTo("–");
        LatencyResult median = LatencyResult.median(List.of(all, LatencyResult.NONE), one -> one);
        assertThat(NumberFormat.latency(median, 99))
                .as("a trial without any is not thin")
                .isEqualTo("3.00 ms");
    }

    @Test
    void latencyWithClockErrorShowsTheError() {
        LatencyResult wrong = new LatencyResult(1.0, 2.0, 3.0, 4.0, 5.0, 12_400.0, 1.5, 100, null, null).within(0.31);
        assertThat(NumberFormat.latency(wrong, 99)).isEqualTo("3.00 ms ± 0.31 ms (thin)");
        assertThat(NumberFormat.latency(wrong, 99.9)).isEqualTo("4.00 ms ± 0.31 ms (thin)");
        assertThat(NumberFormat.latency(wrong, 100)).isEqualTo("12.4 s ± 0.31 ms");
        assertThat(NumberFormat.mean(wrong)).isEqualTo("1.50 ms ± 0.31 ms");
        assertThat(NumberFormat.latency(LatencyResult.NONE.within(1), 99)).isEqualTo("–");
        assertThat(LatencyResult.median(List.of(wrong, wrong.within(0.4)), one -> one)
                        .error())
                .isEqualTo(0.4);
    }

    @Test
    void aComparedFigureIsWrittenInItsUnit() {
        assertThat(NumberFormat.figure("response p99 at 100/s", 4.1)).isEqualTo("4.10 ms");
        assertThat(NumberFormat.figure("acked/s", 41_250.0)).isEqualTo("41,250/s");
        assertThat(NumberFormat.figure("lost", 3.0)).isEqualTo("3");
        assertThat(NumberFormat.figure("lost", null)).isEqualTo(NumberFormat.MISSING);
        assertThat(NumberFormat.change(1.042)).isEqualTo("4.2 %");
        assertThat(NumberFormat.change(7.82)).isEqualTo("7.82×");
        assertThat(NumberFormat.times(1.126)).isEqualTo("1.13×");
        assertThat(NumberFormat.times(0.0123)).isEqualTo("0.012×");
        assertThat(NumberFormat.times(0.0)).isEqualTo("0.00×");
        assertThat(NumberFormat.times(0.000389)).isEqualTo("0.00039×");
        assertThat(NumberFormat.share(0.62)).isEqualTo("62 %");
    }
}
