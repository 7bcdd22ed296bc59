package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import weir.measure.Latency;
import weir.plan.RecordKeys;
import weir.results.Trials;
import weir.results.value.CatchUpResult;
import weir.results.value.LatencyResult;
import weir.results.value.TrialResult;

class CatchUpSentenceTest {
    private static LatencyResult p99(double millis) {
        return new LatencyResult(1.0, 1.0, millis, millis, millis, millis, 1.0, 1_000, null, null);
    }

    private static TrialResult trial(
            String variant, int repeat, double seconds, @Nullable Double expected, double during) {
        return trial(variant, repeat, seconds, expected, p99(6), during);
    }

    private static TrialResult trial(
            String variant,
            int repeat,
            double seconds,
            @Nullable Double expected,
            LatencyResult before,
            double during) {
        CatchUpResult catchUp = new CatchUpResult(
                2_000_000,
                2048.0,
                expected == null,
                seconds,
                expected,
                1_100_000.0,
                1074.0,
                0L,
                before,
                p99(during),
                p99(5));
        return RecordKeys.with(Trials.max(variant, repeat, 1_000), Map.of("seconds", 60.0, "catchUp", catchUp));
    }

    @Test
    void catchUpSentenceHasDurationRateAndProducerCost() {
        assertThat(said(List.of(trial("base", 1, 14.2, null, 48))))
                .isEqualTo(
                        "The backlog of 2 GiB is drained in 14.2 s at 1,100,000/s; meanwhile the producers' response p99"
                                + " rises from 6.00 ms to 48.0 ms, 8.00×.");
    }

    @Test
    void fourTrialsGiveAnInterval() {
        List<TrialResult> four = List.of(
                trial("base", 1, 14, null, 47),
                trial("base", 2, 14, null, 48),
                trial("base", 3, 14, null, 48),
                trial("base", 4, 14, null, 49));
        assertThat(said(four)).containsPattern("8\\.00× \\[7\\.\\d+× to 8\\.\\d+×]");
    }

    @Test
    void undrainedBacklogHasAForecast() {
        assertThat(said(List.of(trial("base", 1, 60, 90.0, 48))))
                .contains("is not drained within 60 s at 1,100,000/s: at this rate it takes 90 s");
    }

    @Test
    void catchUpCostIsComparedWithLaterSecondsWithoutAWarmUp() {
        LatencyResult nothing = LatencyResult.of(Latency.sum(List.of()));
        assertThat(said(List.of(trial("base", 1, 14, null, nothing, 48))))
                .endsWith("the producers' response p99 is 48.0 ms and afterwards 5.00 ms, 9.60×.");
    }

    @Test
    void severalVariantsHaveASentenceEach() {
        assertThat(said(List.of(trial("warm", 1, 14, null, 48), trial("cold", 1, 20, null, 48))))
                .contains("“warm”: the backlog of 2 GiB is drained in 14 s")
                .contains("“cold”: the backlog of 2 GiB is drained in 20 s");
        List<AnswerSentence> two = DisturbanceSentence.catchUp(
                MadeUpFindings.of(List.of(trial("warm", 1, 14, null, 48), trial("cold", 1, 20, null, 48)))
                        .findings());
        assertThat(two.get(0).text(200)).contains("48.0 ms, 8.00×; 1 more variant below;");
        assertThat(said(List.of(Trials.max("base", 1, 100)))).isEmpty();
    }

    private static String said(List<TrialResult> trials) {
        return MadeUpFindings.of(trials).said(DisturbanceSentence::catchUp);
    }
}
