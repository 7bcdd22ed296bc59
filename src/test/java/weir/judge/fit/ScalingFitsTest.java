package weir.judge.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.plan.FitSpec;
import weir.plan.Ratio;
import weir.results.Trials;
import weir.results.value.ScalingResult;
import weir.results.value.TrialResult;

class ScalingFitsTest {
    private static final String PRODUCERS = "load.producers";
    private static final String BROKERS = "cluster.brokers";
    private static final int[] COUNTS = {1, 3, 5, 10, 15};

    private static TrialResult trial(int number, String variant, int producers, int brokers, double rate) {
        TrialResult like = Trials.max(variant, number, rate);
        return new TrialResult(
                number,
                variant,
                1,
                like.startedAt(),
                like.seconds(),
                new TreeMap<>(Map.of(PRODUCERS, String.valueOf(producers), BROKERS, String.valueOf(brokers))),
                like.figures(),
                like.generator(),
                like.steps());
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
        List<FitSpec> asked = List.of(
                new FitSpec.Cost("transaction", List.of(PRODUCERS), new Ratio(0.1), variants),
                new FitSpec.Scaling(PRODUCERS, variants));
        ScalingResult.Limit limit = new ScalingResult.Limit(ScalingResult.Limited.MACHINE, "2 cores 97 % busy");
        List<ScalingResult> found = ScalingFits.of(
                asked, trials, trial -> trial.variant().endsWith("=15") ? limit : ScalingResult.Limit.UNKNOWN);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static double value(ScalingResult.Estimate estimate) {
        return Objects.requireNonNull(estimate.value());
    }

    @Test
    void eachGroupOfVariantsThatDifferInNothingElseHasACurve() {
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
    void theEfficiencyIsAgainstTheSmallestNumberWithAnInterval() {
        ScalingResult.Point ten = scaling(trials()).curves().get(0).points().get(3);
        assertThat(ten.trials()).isEqualTo(2);
        double truth = law(10, 0.1, 0.02) / (10 * 1_000);
        assertThat(value(ten.efficiency())).isCloseTo(truth, within(1e-3));
        assertThat(Objects.requireNonNull(ten.efficiency().low())).isBetween(truth * 0.9, truth * 0.999);
        assertThat(Objects.requireNonNull(ten.rate().low())).isLessThan(value(ten.rate()));
    }

    @Test
    void theAnswerSaysFromWhereOnMoreDoNotPayAndWhoseLimitItIs() {
        String sentence = scaling(trials()).sentence();
        assertThat(sentence)
                .contains("“brokers=3”: one producer carries 1,000/s")
                .contains("efficiency falls below 80 % at 3 [3, 3] producers, and the peak is at 7 [7, 7]")
                .contains("Limit at 15: the machine (2 cores 97 % busy).");
    }

    @Test
    void nothingIsSaidOfMoreThanTwiceTheLargestNumber() {
        ScalingResult.Curve five = scaling(trials()).curves().get(1);
        ScalingResult.Law law = Objects.requireNonNull(five.law());
        assertThat(law.below().value()).isNull();
        assertThat(law.peak().value()).isNull();
        assertThat(scaling(trials()).sentence(five))
                .contains("efficiency stays above 80 % up to 30", "no peak is in sight up to 30");
    }

    @Test
    void threeNumbersAreShownWithoutALaw() {
        List<TrialResult> few = trials().stream()
                .filter(trial -> trial.variant().matches("brokers=3,producers=(1|3|5)"))
                .toList();
        ScalingResult.Curve curve = scaling(few).curves().get(0);
        assertThat(curve.law()).isNull();
        assertThat(curve.points()).hasSize(3);
        assertThat(scaling(few).sentence())
                .isEqualTo(
                        "No law of how it scales with producers: 3 different producers do not determine it, it needs 4.");
    }
}
