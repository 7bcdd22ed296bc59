package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.WrittenTrial;
import weir.measure.Reading;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.results.value.Caveat;

class ClockCaveatsTest extends WrittenTrial {
    /** The errors of two workers' clocks in each second, in milliseconds, and their verdict. */
    private JudgedTrial clocks(double one, double... other) {
        for (int second = 0; second < SECONDS; second++) {
            writer.reading(new Reading(second, "generator-1", "clock.error.ms", one));
            writer.reading(new Reading(second, "generator-2", "clock.error.ms", other[second % other.length]));
        }
        return judged();
    }

    private static @Nullable Caveat about(CaveatType type, JudgedTrial judged) {
        return judged.caveats().stream()
                .filter(caveat -> caveat.is(type))
                .findFirst()
                .orElse(null);
    }

    @Test
    void endToEndErrorIsTheSumOfTheTwoWorstClockErrors() {
        writes(SyntheticTrial.shared(2, 2));
        JudgedTrial judged = clocks(0.2, 0.1, 0.1, 0.1, 0.1, 0.9, 0.1);
        assertThat(judged.result().figures().e2e().error()).isEqualTo(1.1);
        assertThat(judged.result().steps())
                .extracting(step -> step.figures().e2e().error())
                .satisfiesExactly(
                        first -> assertThat(first).isCloseTo(0.3, within(1e-9)),
                        second -> assertThat(second).isCloseTo(1.1, within(1e-9)));
        assertThat(judged.result().figures().response().error()).isNull();
        Caveat doubt = Objects.requireNonNull(about(CaveatType.named("e2e-uncertain"), judged));
        assertThat(doubt.evidence())
                .isEqualTo(
                        "at 200/s, the p50 of e2e was 6.00 ms, but the clocks of sender and reader may differ by 1.10 ms");
        assertThat(doubt.weakens()).isEqualTo("e2e of 200/s");
        assertThat(types(judged))
                .doesNotContain("e2e-unknown", "received-before-due")
                .containsOnlyOnce("e2e-uncertain");
    }

    @Test
    void endToEndBelowTheClockErrorIsUnknown() {
        writes(SyntheticTrial.shared(2, 2));
        JudgedTrial judged = clocks(3, 4);
        assertThat(types(judged)).contains("e2e-unknown").doesNotContain("e2e-uncertain", "received-before-due");
    }

    @Test
    void endToEndOfOneWorkerIsCertain() {
        writer.reading(new Reading(1, "generator", "clock.error.ms", 5));
        JudgedTrial judged = judged();
        assertThat(judged.result().figures().e2e().error()).isNull();
        assertThat(types(judged)).doesNotContain("e2e-unknown", "e2e-uncertain");
    }

    @ParameterizedTest
    @CsvSource({"0.5, true", "1.5, false"})
    void receiptBeforeDueBeyondTheClockErrorInvalidatesTheTrial(double error, boolean invalid) {
        writes(SyntheticTrial.shared(2, 2), -2_000_000);
        JudgedTrial judged = clocks(error, error);
        Caveat found = about(CaveatType.named("received-before-due"), judged);
        assertThat(found != null).isEqualTo(invalid);
        if (found != null) {
            assertThat(found.evidence())
                    .isEqualTo(
                            "at 100/s, 300 messages were received up to 2.00 ms before they were due, but the clocks of"
                                    + " sender and reader differ by at most 1.00 ms");
        }
    }

    @Test
    void singleClockReportsRecordsReceivedBeforeDue() {
        writes(SyntheticTrial.of(2, "base", 1), -2_000);
        assertThat(types(judged())).contains("received-before-due");
    }

    @ParameterizedTest
    @CsvSource({"2, true", "7, false"})
    void clockJumpDuringATrialInvalidatesTheTrial(int second, boolean measured) {
        writer.reading(new Reading(second, "generator-2", "clock.jump.ms", 50));
        Caveat found = about(CaveatType.named("clock-stepped"), judged());
        assertThat(found != null).isEqualTo(measured);
        if (found != null) {
            assertThat(found.evidence()).isEqualTo("a worker clock jumped relative to the conductor clock by 50.0 ms");
        }
    }
}
