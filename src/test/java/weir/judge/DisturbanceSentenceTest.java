package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import weir.results.Trials;
import weir.results.value.DisturbanceResult;
import weir.results.value.TrialResult;

class DisturbanceSentenceTest {
    private static DisturbanceResult crash(double gap, boolean recovered, @Nullable Double recovery) {
        return new DisturbanceResult(
                "crash", "broker 2 is killed", 15, 19.0, gap, recovered, recovery, 4, null, null, null);
    }

    private static TrialResult trial(String variant, int repeat, DisturbanceResult... disturbances) {
        return Trials.disturbed(Trials.max(variant, repeat, 100, 4), List.of(disturbances));
    }

    @Test
    void eachVariantIsToldWithTheMedianOfItsTrials() {
        assertThat(DisturbanceSentence.of(
                        List.of(
                                trial("one", 1, crash(0, true, 4.0)),
                                trial("one", 2, crash(0, true, 6.0)),
                                trial("one", 3, crash(1, true, 5.0)),
                                trial("all", 1, crash(7, true, 0.0)),
                                trial("quiet", 1)),
                        List.of()))
                .isEqualTo(
                        "\u201ccrash\u201d (broker 2 is killed): \u201cone\u201d never stops for a second, and is as before 5 s"
                                + " after its end, with nothing lost; \u201call\u201d stops for 7 s, and is as before at once, with"
                                + " nothing lost.");
    }

    /** It ended before the disturbance was to begin. */
    @Test
    void aTrialThatWasNeverDisturbedDoesNotCount() {
        String said =
                "\u201ccrash\u201d (broker 2 is killed): the load stops for 2 s, and is as before 4 s after its end,"
                        + " with nothing lost.";
        assertThat(DisturbanceSentence.of(List.of(trial("base", 1, crash(2, true, 4.0)), trial("base", 2)), List.of()))
                .isEqualTo(said);
        assertThat(DisturbanceSentence.of(List.of(trial("base", 1), trial("base", 2, crash(2, true, 4.0))), List.of()))
                .isEqualTo(said);
    }

    @Test
    void whatDoesNotRecoverIsSaidOfAsManyTrials() {
        assertThat(DisturbanceSentence.of(
                        List.of(trial("base", 1, crash(2, true, 4.0)), trial("base", 2, crash(4, false, 8.0))),
                        List.of()))
                .isEqualTo(
                        "\u201ccrash\u201d (broker 2 is killed): the load stops for 3 s, and is not as before within 6 s"
                                + " after its end in 1 of 2 trials, with nothing lost.");
    }

    @Test
    void ofManyVariantsTheExtremesAreTold() {
        List<TrialResult> many = new ArrayList<>();
        for (int i = 1; i <= 7; i++) {
            many.add(trial("v" + i, 1, crash(i == 5 ? 9 : i % 2, true, 0.0)));
        }
        assertThat(DisturbanceSentence.of(many, List.of()))
                .isEqualTo(
                        "\u201ccrash\u201d, in 7 variants: all of them lost nothing; 3 of them never stopped for a second,"
                                + " and \u201cv5\u201d stopped longest, for 9 s.");
    }

    @Test
    void undisturbedThereIsNothingToSay() {
        assertThat(DisturbanceSentence.of(List.of(trial("base", 1)), List.of())).isEmpty();
    }
}
