package weir.feature.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Ratio;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.TrialResult;

class ScalingFitsTest {
    private static final String PRODUCERS = "load.producers";
    private static final String BROKERS = "cluster.brokers";
    private static final int[] COUNTS = {1, 3, 5, 10, 15};

    private static TrialResult trial(int number, String variant, int producers, int brokers, double rate) {
        Map<String, String> settings = Map.of(PRODUCERS, String.valueOf(producers), BROKERS, String.valueOf(brokers));
        return RecordKeys.with(Trials.with(settings, Trials.max(variant, 1, rate)), Map.of("trial", number));
    }

    private static double law(double count, double contention, double coherency) {
        return 1_000 * count / (1 + contention * (count - 1) + coherency * count * (count - 1));
    }

    /** Three and five brokers, twice each, 1 % apart. */
    private static List<TrialResult> trials() {
        List<TrialResult> trials = new ArrayList<>();
        for (int brokers : new int[] {3, 5}) {
            for (int count : COUNTS) {
                for (double noise : new double[] {0.995, 1.005}) {
                    double rate = law(count, brokers == 3 ? 0.1 : 0, brokers == 3 ? 0.02 : 0);
                    String name = "brokers=" + brokers + ",producers=" + count;
                    trials.add(trial(trials.size() + 1, name, count, brokers, noise * rate));
                }
            }
        }
        return trials;
    }

    private static ScalingResult scaling(List<TrialResult> trials) {
        List<String> variants =
                trials.stream().map(TrialResult::variant).distinct().toList();
        List<ModelSpec> asked = List.of(
                new FitSpec.Cost("transaction", List.of(PRODUCERS), new Ratio(0.1), variants),
                new FitSpec.Scaling(PRODUCERS, variants));
        ScalingResult.Limit limit = new ScalingResult.Limit(ScalingResult.Limited.MACHINE, "2 cores 97 % busy");
        List<ScalingResult> found = Fits.scalings(
                asked, trials, trial -> trial.variant().endsWith("=15") ? limit : ScalingResult.Limit.UNKNOWN);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static double value(ScalingResult.Estimate estimate) {
        return Objects.requireNonNull(estimate.value());
    }

    @Test
    void eachGroupOfComparableVariantsHasAScalingCurve() {
        ScalingResult scaling = scaling(trials());
        assertThat(scaling.curves()).extracting(ScalingResult.Curve::name).containsExactly("brokers=3", "brokers=5");
        ScalingResult.Curve three = scaling.curves().get(0);
        ScalingResult.Law law = Objects.requireNonNull(three.law());
        assertThat(value(law.rateOfOne())).isCloseTo(1_000, within(5.0));
        assertThat(value(law.contention())).isCloseTo(0.1, within(1e-3));
        assertThat(value(law.coherency())).isCloseTo(0.02, within(1e-4));
        // 0.02m² + 0.12m = 0.25 at m = N − 1 = 1.64; sqrt(0.9 / 0.02) = 6.7.
        assertThat(value(law.below())).isCloseTo(2.64, within(0.01));
        assertThat(value(law.peak())).isCloseTo(6.71, within(0.02));
        assertThat(law.line().get(law.line().size() - 1).count()).isEqualTo(30);
        assertThat(three.points()).extracting(ScalingResult.Point::count).containsExactly(1.0, 3.0, 5.0, 10.0, 15.0);
    }

    @Test
    void efficiencyIsRelativeToTheMeasuredRateOfOne() {
        ScalingResult.Point ten = scaling(trials()).curves().get(0).points().get(3);
        assertThat(ten.trials()).isEqualTo(2);
        double truth = law(10, 0.1, 0.02) / (10 * 1_000);
        assertThat(value(ten.efficiency())).isCloseTo(truth, within(1e-3));
        assertThat(Objects.requireNonNull(ten.efficiency().low())).isBetween(truth * 0.9, truth * 0.999);
        assertThat(Objects.requireNonNull(ten.rate().low())).isLessThan(value(ten.rate()));
    }

    @Test
    void scalingAnswerHasEfficiencyKneePeakAndLimit() {
        String sentence = said(scaling(trials()));
        assertThat(sentence)
                .contains("“brokers=3”: one producer carries 1,000/s [")
                .contains(
                        "By the fitted law, the efficiency falls below 80 % at 3 [3, 3] producers, and the peak is at 7 [7, 7]")
                .contains("The limit at 15 producers is the machine (2 cores 97 % busy).");
    }

    /** σ = 0.5: two units reach 67 % of twice the rate of one unit. N = 1 was not measured. */
    private static List<TrialResult> withoutOne() {
        List<TrialResult> trials = new ArrayList<>();
        for (int count : new int[] {2, 4, 8, 16}) {
            for (double noise : new double[] {0.995, 1.005}) {
                trials.add(trial(trials.size() + 1, "producers=" + count, count, 3, noise * law(count, 0.5, 0)));
            }
        }
        return trials;
    }

    @Test
    void efficiencyUsesTheLawIfOneWasNotMeasured() {
        ScalingResult scaling = scaling(withoutOne());
        ScalingResult.Curve curve = scaling.curves().get(0);
        assertThat(curve.hasOne()).isFalse();
        ScalingResult.Estimate two = curve.points().get(0).efficiency();
        assertThat(value(two)).isCloseTo(1 / 1.5, within(5e-3));
        assertThat(Objects.requireNonNull(two.low())).isLessThan(value(two));
        assertThat(Objects.requireNonNull(two.high())).isGreaterThan(value(two)).isLessThan(0.8);
        assertThat(curve.efficiency(curve.points().get(0))).startsWith("66.").endsWith("] by the law");
        assertThat(said(scaling))
                .startsWith("One producer, which was not measured, carries ")
                .contains("] by the fitted law; 16 producers carry 1,882/s, 11.", "] of 16 times that rate. ")
                .contains("By the fitted law, the efficiency falls below 80 % at 2 [2, 2] producers");
    }

    @Test
    void efficiencyRequiresALawOrARateOfOne() {
        ScalingResult scaling = scaling(withoutOne().subList(0, 4));
        assertThat(scaling.curves().get(0).points())
                .allMatch(point -> point.efficiency().value() == null);
    }

    @Test
    void scalingTrialsWithoutThroughputAreReported() {
        List<TrialResult> trials = new ArrayList<>(trials().stream()
                .filter(trial -> trial.variant().startsWith("brokers=3"))
                .map(trial -> trial.variant().endsWith("=15") ? trial(trial.trial(), trial.variant(), 15, 3, 0) : trial)
                .toList());
        ScalingResult.Curve curve = scaling(trials).curves().get(0);
        assertThat(curve.points()).extracting(ScalingResult.Point::count).containsExactly(1.0, 3.0, 5.0, 10.0);
        assertThat(curve.note()).isEqualTo("Weir excludes trials that carried no record: 2 of 2 at 15 producers");
        assertThat(said(scaling(trials)))
                .endsWith(" Weir excludes trials that carried no record: 2 of 2 at 15 producers.");
        // What the others say of 20 is not believed where 15 carried nothing.
        assertThat(Objects.requireNonNull(curve.law()).farthest()).isEqualTo(10);
        assertThat(said(scaling(trials))).contains("the peak is at 7 [7, 7]").doesNotContain("20");
        trials.removeIf(trial -> trial.variant().endsWith("=10"));
        assertThat(said(scaling(trials)))
                .isEqualTo("No scaling law for producers: a scaling law needs 4 different numbers, found 3;"
                        + " Weir excludes trials that carried no record: 2 of 2 at 15 producers.");
    }

    @Test
    void groupWithoutThroughputHasACurveWithoutPoints() {
        List<TrialResult> trials = List.of(trial(1, "producers=1", 1, 3, 0), trial(2, "producers=2", 2, 3, 0));
        assertThat(scaling(trials).curves().get(0).points()).isEmpty();
        assertThat(said(scaling(trials)))
                .isEqualTo("No scaling law for producers: a scaling law needs 4 different numbers, found 0;"
                        + " Weir excludes trials that carried no record: 1 of 1 at 1 and 1 of 1 at 2 producers.");
    }

    @Test
    void oneTrialPerCountIsReportedAsTooFew() {
        List<TrialResult> trials = List.of(
                trial(1, "producers=1", 1, 3, 1_182_985),
                trial(2, "producers=2", 2, 3, 1_420_000),
                trial(3, "producers=3", 3, 3, 880_000),
                trial(4, "producers=4", 4, 3, 910_000));
        ScalingResult.Curve curve = scaling(trials).curves().get(0);
        assertThat(Objects.requireNonNull(curve.law()).vague()).isTrue();
        assertThat(said(scaling(trials)))
                .startsWith("Too few trials for a scaling law for producers: ")
                .contains("1 carried 1,182,985/s and 4 carried 910,000/s, 19.2 % of 4 times the first rate.")
                .contains("(repeat: 4)")
                .doesNotContain("[", "peak", "80 %");
        assertThat(scaling(trials()).curves())
                .noneMatch(certain -> Objects.requireNonNull(certain.law()).vague());
    }

    @Test
    void ambiguousLawsAreNotReportedAsTooFewTrials() {
        List<TrialResult> trials = new ArrayList<>();
        double[] rates = {1_000, 300, 2_500, 700};
        for (int repeat = 0; repeat < 4; repeat++) {
            for (int count = 1; count <= 4; count++) {
                trials.add(trial(trials.size() + 1, "producers=" + count, count, 3, rates[count - 1]));
            }
        }
        assertThat(said(scaling(trials)))
                .startsWith(
                        "Many scaling laws for producers agree with the measured rates, so Weir names none: 1 carried")
                .contains(". Measure more numbers. ");
    }

    @Test
    void scalingIsNotExtrapolatedAboveTwiceTheLargestCount() {
        ScalingResult.Curve five = scaling(trials()).curves().get(1);
        ScalingResult.Law law = Objects.requireNonNull(five.law());
        assertThat(law.below().value()).isNull();
        assertThat(law.peak().value()).isNull();
        assertThat(String.join(" ", scaling(trials()).sentences(five)))
                .contains("the efficiency stays above 80 % up to 30", "there is no peak up to 30");
    }

    @Test
    void threeNumbersAreShownWithoutALaw() {
        List<TrialResult> few = trials().stream()
                .filter(trial -> trial.variant().matches("brokers=3,producers=(1|3|5)"))
                .toList();
        ScalingResult.Curve curve = scaling(few).curves().get(0);
        assertThat(curve.law()).isNull();
        assertThat(curve.points()).hasSize(3);
        assertThat(said(scaling(few)))
                .isEqualTo("No scaling law for producers: a scaling law needs 4 different numbers, found 3.");
    }

    private static String said(ScalingResult scaling) {
        return scaling.curves().stream()
                .flatMap(curve -> scaling.sentences(curve).stream())
                .collect(Collectors.joining(" "));
    }
}
