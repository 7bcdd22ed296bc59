package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.feature.trend.ChangePoints.Found;
import weir.feature.trend.SyntheticSeries.Noise;

class ChangePointsTest {
    /** {@code -Dtrend.histories=5000} repeats the table of decision 0041. */
    private static final int HISTORIES = Integer.getInteger("trend.histories", 200);

    private static final int RUNS = 60;

    private static double[] joined(double[]... parts) {
        return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[] times(double factor, double... values) {
        return Arrays.stream(values).map(value -> factor * value).toArray();
    }

    private static final double[] QUIET = {100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.7, 99.3, 100.1, 99.9, 100};

    /** The share of histories with a change that was found, in percent. */
    private record Rates(double alarms, double inFive, double inEight, double atAll, double exact) {
        static Rates of(Noise noise, double deviation, double share) {
            SyntheticSeries without = new SyntheticSeries(41, noise, deviation);
            int alarms = 0;
            for (int i = 0; i < HISTORIES; i++) {
                alarms += ChangePoints.of(without.steady(RUNS), share).found().isEmpty() ? 0 : 1;
            }
            SyntheticSeries with = new SyntheticSeries(42, noise, deviation);
            int inFive = 0;
            int inEight = 0;
            int atAll = 0;
            int exact = 0;
            for (int i = 0; i < HISTORIES; i++) {
                int at = with.between(ChangePoints.FEWEST, RUNS - 5);
                double[] values = with.stepped(RUNS + 3, at, i % 2 == 0 ? 1.05 : 0.95);
                List<Found> found = ChangePoints.of(values, share).found().stream()
                        .filter(one -> one.seen() > at && Math.abs(one.at() - at) <= 5)
                        .toList();
                inFive += found.stream().anyMatch(one -> one.seen() <= at + 5) ? 1 : 0;
                inEight += found.stream().anyMatch(one -> one.seen() <= at + 8) ? 1 : 0;
                atAll += found.isEmpty() ? 0 : 1;
                exact += found.stream().anyMatch(one -> one.at() == at) ? 1 : 0;
            }
            double all = HISTORIES / 100.0;
            Rates rates = new Rates(alarms / all, inFive / all, inEight / all, atAll / all, exact / all);
            if (HISTORIES > 200) {
                System.out.printf("| %s | %.1f %% | %.2f | %s%n", noise, 100 * deviation, share, rates);
            }
            return rates;
        }
    }

    @Test
    void fivePercentStepIsFoundWithinFiveRuns() {
        Rates rates = Rates.of(Noise.NORMAL, 0.015, 1);
        assertThat(rates.inFive()).isGreaterThanOrEqualTo(HISTORIES > 1000 ? 95 : 93);
        assertThat(rates.alarms()).isLessThanOrEqualTo(2);
        assertThat(rates.exact()).isGreaterThanOrEqualTo(80);
    }

    @Test
    void fivePercentStepIsFoundWithinEightRunsAtTwoPercentNoise() {
        Rates rates = Rates.of(Noise.NORMAL, 0.02, 1);
        assertThat(rates.inFive()).isGreaterThanOrEqualTo(68);
        assertThat(rates.inEight()).isGreaterThanOrEqualTo(90);
        assertThat(rates.atAll()).isGreaterThanOrEqualTo(97);
        assertThat(rates.alarms()).isLessThanOrEqualTo(2);
    }

    @Test
    void heavyTailsAndOutliersGiveNoChangePoints() {
        // With few histories, one more or less is chance. With 10,000 the shares are 1.6 and 1.9 %.
        double most = HISTORIES > 1000 ? 2 : 3;
        assertThat(Rates.of(Noise.HEAVY_TAILED, 0.02, 1).alarms()).isLessThanOrEqualTo(most);
        assertThat(Rates.of(Noise.WITH_OUTLIERS, 0.02, 1).alarms()).isLessThanOrEqualTo(most);
    }

    @Test
    void secondaryFigureHasFewerFalseAlarms() {
        assertThat(Rates.of(Noise.NORMAL, 0.02, 0.1).alarms()).isLessThanOrEqualTo(0.75);
    }

    @Test
    void changePointIsLocatedExactly() {
        for (int at = 8; at < 20; at++) {
            double[] values = new double[30];
            for (int i = 0; i < values.length; i++) {
                values[i] = QUIET[i % QUIET.length] * (i < at ? 1 : 1.2);
            }
            assertThat(ChangePoints.of(values, 1).found())
                    .as("at %d", at)
                    .extracting(Found::at)
                    .containsExactly(at);
        }
    }

    /** Twelve runs at 100 and three at 110, without noise. Only the least noise of 0.1 % keeps t finite. */
    @Test
    void changeIsFoundAfterThreeRuns() {
        double[] values = joined(QUIET, times(1.2, 100, 101, 99, 100, 100.5, 99.5));
        assertThat(ChangePoints.of(Arrays.copyOf(values, 14), 1).found()).isEmpty();
        assertThat(ChangePoints.of(values, 1).found()).hasSize(1).first().satisfies(found -> {
            assertThat(found.at()).isEqualTo(12);
            assertThat(found.seen()).isBetween(15, 18);
        });
    }

    @Test
    void foundChangePointsStayWithLaterRuns() {
        double[] values = joined(QUIET, times(1.1, QUIET), times(0.9, QUIET), times(1.1, QUIET));
        List<Found> all = ChangePoints.of(values, 1).found();
        assertThat(all).extracting(Found::at).containsExactly(12, 24, 36);
        for (int runs = 1; runs <= values.length; runs++) {
            int known = runs;
            assertThat(ChangePoints.of(Arrays.copyOf(values, runs), 1).found())
                    .isEqualTo(all.stream().filter(one -> one.seen() <= known).toList());
        }
    }

    @Test
    void upToTwoBadRunsAreNoChange() {
        for (double bad : new double[] {1.1, 2, 10, 0.2}) {
            assertThat(ChangePoints.of(joined(QUIET, times(bad, 100), QUIET), 1).found())
                    .isEmpty();
            assertThat(ChangePoints.of(joined(QUIET, times(bad, 100, 100), QUIET), 1)
                            .found())
                    .isEmpty();
        }
    }

    /** The noise is known from before, so a change back is found at once. */
    @Test
    void temporaryRegressionIsTwoChanges() {
        double[] values = joined(QUIET, times(1.3, 100, 101, 99, 100, 100.4, 99.6), QUIET);
        List<Found> found = ChangePoints.of(values, 1).found();
        assertThat(found).extracting(Found::at).containsExactly(12, 18);
        assertThat(found.get(1).seen()).isEqualTo(18 + ChangePoints.SIDE);
    }

    @Test
    void constantRateChangesOnlyAboveOnePercent() {
        double[] kept = new double[20];
        Arrays.fill(kept, 5000);
        assertThat(ChangePoints.of(joined(kept, times(0.995, kept)), 1).found()).isEmpty();
        assertThat(ChangePoints.of(joined(kept, times(0.98, kept)), 1).found())
                .extracting(Found::at)
                .containsExactly(20);
    }

    @Test
    void changePointsAreIndependentOfTheUnit() {
        double[] values = new SyntheticSeries(7, Noise.NORMAL, 0.02).stepped(80, 40, 1.08);
        assertThat(ChangePoints.of(times(1e-6, values), 1).found())
                .isEqualTo(ChangePoints.of(values, 1).found())
                .isNotEmpty();
    }

    /** The series of Apache Otava's tests (test_single_series). Otava, too, is called again after its first change. */
    @Test
    void changePointsMatchTheExamplesOfOtava() {
        double[] first = {1.02, 0.95, 0.99, 1.00, 1.12, 0.90, 0.50, 0.51, 0.48, 0.48, 0.55};
        double[] second = {2.02, 2.03, 2.01, 2.04, 1.82, 1.85, 1.79, 1.81, 1.80, 1.76, 1.78};
        assertThat(ChangePoints.of(first, 1).found()).extracting(Found::at).containsExactly(6);
        assertThat(ChangePoints.of(second, 1).found()).extracting(Found::at).containsExactly(4);
    }

    @Test
    void detectableChangeIsReportedOnceTheNoiseIsKnown() {
        assertThat(ChangePoints.of(Arrays.copyOf(QUIET, 5), 1).visible()).isNaN();
        SyntheticSeries series = new SyntheticSeries(3, Noise.NORMAL, 0.02);
        assertThat(ChangePoints.of(series.steady(40), 1).visible()).isBetween(1.04, 1.08);
        // The definition of visible: five runs show such a step four times of five.
        int found = 0;
        for (int i = 0; i < 300; i++) {
            double[] values = series.steady(45);
            double visible = ChangePoints.of(Arrays.copyOf(values, 40), 1).visible();
            for (int later = 40; later < 45; later++) {
                values[later] *= visible;
            }
            found += ChangePoints.of(values, 1).found().stream().anyMatch(one -> one.at() > 36) ? 1 : 0;
        }
        assertThat(found / 300.0).isBetween(0.77, 0.9);
    }

    @Test
    void detectableChangeIsUnknownDirectlyAfterAChange() {
        double[] values = joined(Arrays.copyOf(QUIET, 8), times(2, 100, 101, 99, 100));
        assertThat(ChangePoints.of(values, 1).found()).hasSize(1);
        assertThat(ChangePoints.of(
                                Arrays.copyOf(
                                        values,
                                        ChangePoints.of(values, 1)
                                                .found()
                                                .get(0)
                                                .seen()),
                                1)
                        .visible())
                .isNaN();
    }

    @Test
    void seriesRequiresPositiveValues() {
        assertThatThrownBy(() -> ChangePoints.of(new double[] {1, 0}, 1).found())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChangePoints.of(QUIET, 0).found()).isInstanceOf(IllegalArgumentException.class);
        assertThat(ChangePoints.of(new double[] {}, 1).found()).isEmpty();
    }
}
