package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.judge.RateRule;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Recorder;
import weir.plan.syntax.CaveatType.Level;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialEnd;
import weir.run.GeneratorCeilings;
import weir.run.Sample;

class GeneratorCaveatsTest {
    private final CaveatCollector caveats = new CaveatCollector(3);
    private final GeneratorCaveats generator = new GeneratorCaveats(caveats);

    private static List<StepResult> steps(Sample sample) {
        return sample.trial("a", 1).steps();
    }

    private Caveat only() {
        assertThat(caveats.found()).hasSize(1);
        return caveats.found().get(0);
    }

    @Test
    void aLateGeneratorMakesTheTrialInvalid() {
        generator.late(steps(Sample.GOOD.p99(20).late(6)));
        assertThat(only().is(RateRule.GENERATOR_LATE)).isTrue();
        assertThat(only().level()).isEqualTo(Level.INVALID);
        assertThat(only().evidence()).contains("6.00 ms").contains("20.0 ms").contains("1,000/s");
    }

    @Test
    void aResponseThatIsOnlyALowerBoundIsMarked() {
        LatencyResult late = new LatencyResult(1.0, 2.0, 60.0, 60.0, 60.0, 60.0, 1.0, 1_000, null, null);
        LatencyResult bound = new LatencyResult(1.0, 2.0, 90.0, 90.0, 90.0, 90.0, 1.0, 1_000, 95.0, null);
        Figures figures =
                Trials.figures(Map.of(), Map.of(), Map.of(LatencyKind.LATE, late, LatencyKind.RESPONSE, bound));
        generator.late(List.of(new StepResult(100.0, 2, "100/s", 0, 10, figures, null, null, null, null)));
        assertThat(only().evidence()).endsWith("late by 60.0 ms at p99, and the response p99 was ≥ 90.0 ms");
    }

    @Test
    void pausedGeneratorIsLateDespitePunctualSends() {
        StepResult step = steps(Sample.GOOD.p99(500).late(30)).get(0);
        generator.standstill(step, "", Double.NaN);
        generator.standstill(step, "", 20);
        assertThat(caveats.found()).isEmpty();
        generator.standstill(step, "", 45);
        assertThat(only().is(RateRule.GENERATOR_LATE)).isTrue();
        assertThat(only().evidence()).contains("could not run for 45 %");
    }

    @Test
    void generatorWithHighShareOfTheDelayIsNearItsLimit() {
        StepResult sustained = steps(Sample.GOOD).get(0);
        generator.behind(sustained, "", 90, 40);
        StepResult missed = steps(Sample.GOOD.acked(600)).get(0);
        generator.behind(missed, "", Double.NaN, Double.NaN);
        generator.behind(missed, "", 40, 40);
        generator.behind(missed, "", 90, 20);
        assertThat(caveats.found()).isEmpty();
        generator.behind(missed, "", 90, 36);
        assertThat(only().is(GeneratorCaveats.GENERATOR_NEAR_ITS_LIMIT)).isTrue();
        assertThat(only().level()).isEqualTo(Level.DOUBT);
        assertThat(only().evidence()).contains("caused 40 % of the time in which its senders were behind");
    }

    @Test
    void aSaturatedBrokerIsNotALateGenerator() {
        generator.late(steps(Sample.GOOD.p99(2_000).late(30)));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void aGeneratorLateByLessThanAnyoneFeelsIsFine() {
        generator.late(steps(Sample.GOOD.p99(4).late(3)));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void rateMissedByALateGeneratorIsInvalid() {
        generator.rate(steps(Sample.GOOD.acked(900).p99(1_000).late(900)));
        assertThat(only().is(RateRule.RATE_MISSED)).isTrue();
        assertThat(only().level()).isEqualTo(Level.INVALID);
        assertThat(only().evidence()).contains("90 %");
    }

    @Test
    void rateMissedByABlockedSenderIsNotTheGenerators() {
        generator.rate(steps(Sample.GOOD.acked(900).late(30).backpressure(3_000)));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void aSystemThatAnswersTooSlowlyMissesTheRateItself() {
        generator.rate(steps(Sample.GOOD.acked(900).p99(9_000).late(900)));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void aRateThatIsReachedAfterAPauseIsNotMissed() {
        generator.rate(steps(Sample.GOOD.late(900)));
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void gcAndSafepointPausesAreReported() {
        generator.pauses("", 19, "", 19, List.of());
        generator.pauses("", Double.NaN, "", Double.NaN, List.of());
        assertThat(caveats.found()).isEmpty();
        generator.pauses("", 40, "", 41, List.of());
        assertThat(only().evidence()).contains("40.0 ms").contains("garbage");
        generator.pauses("", 1, "", 300, List.of());
        assertThat(caveats.found().get(1).is(GeneratorCaveats.GENERATOR_PAUSED)).isTrue();
        assertThat(caveats.found().get(1).evidence()).contains("300 ms").contains("safepoint");
    }

    @Test
    void pauseSmallerThanTheResponseRaisesNoCaveat() {
        List<StepResult> slow = steps(Sample.GOOD.p99(3_500));
        generator.pauses("", 27, "", 27, slow);
        assertThat(caveats.found()).isEmpty();
        generator.pauses("", 400, "", 1, slow);
        assertThat(only().evidence()).contains("400 ms");
    }

    @Test
    void busyGeneratorCoresRaiseNearItsLimit() {
        generator.cpu("", 1.7, 2);
        generator.cpu("", Double.NaN, 2);
        assertThat(caveats.found()).isEmpty();
        generator.cpu("", 1.9, 2);
        assertThat(only().is(GeneratorCaveats.GENERATOR_NEAR_ITS_LIMIT)).isTrue();
    }

    @Test
    void busyGeneratorNearItsCeilingRaisesNearItsLimit() {
        LatencyResult onTime = Sample.GOOD.figures().late();
        generator.ceiling(790_000, 1_000_000, 1.2, onTime);
        assertThat(caveats.found()).isEmpty();
        generator.ceiling(810_000, 1_000_000, 1.2, onTime);
        assertThat(only().is(GeneratorCaveats.GENERATOR_NEAR_ITS_LIMIT)).isTrue();
        assertThat(only().evidence())
                .contains("810,000/s were acked. This rate is 81 %")
                .contains("1,000,000/s")
                .endsWith("it used 1.2 cores");
    }

    @Test
    void generatorAtTheCeilingIsTheLimitOnlyIfBusyOrLate() {
        generator.ceiling(11_962, 12_058, 0.1, Sample.GOOD.figures().late());
        generator.ceiling(11_962, 12_058, Double.NaN, LatencyResult.NONE);
        assertThat(caveats.found()).isEmpty();
        generator.ceiling(11_962, 12_058, 0.1, Sample.GOOD.late(30).figures().late());
        assertThat(only().evidence()).endsWith("it was late by 30.0 ms at p99");
    }

    @Test
    void generatorCeilingIsUnknownIfTheGeneratorWasIdle() {
        assertThat(GeneratorCeilings.reached(12_058, 1.3, "").ceilingPerSecond())
                .isEqualTo(12_058);
        GeneratorResult ofThePath = GeneratorCeilings.reached(12_058, 0.1, "");
        assertThat(ofThePath.ceilingPerSecond()).isNull();
        assertThat(ofThePath.ceilingNote())
                .isEqualTo("unknown: the generator used only 0.1 cores to send 12,058/s to a null target, so the"
                        + " CPU was not the limit of the generator");
    }

    private static TrialEnd.WorkerLatency late(int worker, int messages, long nanos) {
        Numbers[] seen = {new Numbers()};
        Recorder recorder =
                new Recorder(0, 1_000_000_000L, Integer.MAX_VALUE, window -> seen[0] = seen[0].plus(window.all()));
        recorder.sent(2, messages, messages, 0, nanos, nanos, 0, 100);
        recorder.acked(2, messages, messages, 0, nanos, nanos + 1_000_000, 100);
        recorder.close();
        return new TrialEnd.WorkerLatency(
                2,
                worker,
                LatencyResult.of(seen[0].latency(LatencyKind.LATE)),
                LatencyResult.of(seen[0].latency(LatencyKind.RESPONSE)));
    }

    @Test
    void latenessOfASingleWorkerIsReported() {
        StepResult step = steps(Sample.GOOD).get(0);
        generator.late(step, List.of(late(0, 10_000, 100_000), late(1, 50, 30_000_000)), worker -> "");
        assertThat(only().is(RateRule.GENERATOR_LATE)).isTrue();
        assertThat(only().evidence())
                .contains("worker 2 of 2 was itself late by 30.")
                .contains("31.");
    }

    @Test
    void workersThatAreOnTimeAreNotDoubted() {
        StepResult step = steps(Sample.GOOD).get(0);
        generator.late(step, List.of(late(0, 100, 100_000), late(1, 100, 300_000)), worker -> "");
        assertThat(caveats.found()).isEmpty();
    }
}
