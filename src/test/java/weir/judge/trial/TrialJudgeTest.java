package weir.judge.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.judge.ExpectationJudge;
import weir.judge.caveat.Promises;
import weir.measure.Count;
import weir.measure.Ledger;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Steps;
import weir.plan.RecordKeys;
import weir.plan.Sentence;
import weir.plan.SyntheticTrial;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.StepResult.StepVerdict;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

class TrialJudgeTest extends WrittenTrial {
    @Test
    void aFinishedTrialIsMadeAgainFromItsFilesToTheLastFigure() {
        JudgedTrial live = judged();
        writer.finish(live.result(), live.caveats());
        assertThat(folder().end()).isEqualTo(end());
        for (JudgedTrial again : List.of(new TrialJudge(folder()).judged(), JudgedTrial.of(folder()))) {
            assertThat(again.result()).isEqualTo(live.result());
            assertThat(again.caveats()).isEqualTo(live.caveats());
        }
    }

    @Test
    void figuresComeFromLedgerWindowsAndReadings() {
        TrialResult made = judged().result();
        Figures figures = made.figures();
        assertThat(made.startedAt()).isEqualTo("2026-11-20T12:00:01Z");
        assertThat(made.seconds()).isEqualTo(6);
        assertThat(figures.offeredPerSecond()).isEqualTo(903 / 6.0);
        assertThat(figures.count(Count.UNRESOLVED)).isEqualTo(3);
        assertThat(figures.count(Count.LOST)).isZero();
        assertThat(figures.lag().max()).isEqualTo(12);
        // A message that never ended is at least this slow.
        assertThat(figures.response().count()).isEqualTo(903);
        assertThat(Objects.requireNonNull(figures.response().atLeastBeyond())).isBetween(99.6, 99.7);
        assertThat(made.generator().cpuNanosPerRecord()).isEqualTo(1.8e9 / 900);
        assertThat(made.generator().ceilingPerSecond()).isEqualTo(4_000);
        assertThat(made.steps()).extracting(StepResult::label).containsExactly("100/s", "200/s");
        assertThat(made.steps().get(0).drainedAfter()).isZero();
        assertThat(made.steps().get(1).drainedAfter()).isNull();
        StepVerdict verdict = Objects.requireNonNull(made.steps().get(0).verdict());
        assertThat(verdict.state()).isEqualTo(StepState.DEGRADED);
        assertThat(verdict.missed()).singleElement().asString().contains("response p99 is 5.00 ms, the limit < 1ms");
    }

    /** 100/s for three seconds after a warm-up; 45 of its records are acked and 60 received in the first second. */
    @Test
    void warmUpAcksInMeasuredSecondsAreReportedWithTheRate() {
        writer = run.trial(SyntheticTrial.of(2, "base", 1), NOON);
        writer.conditions(TrialConditions.NONE);
        Recorder recorder = recorder(writer, Steps.WHOLE);
        recorder.acked(Steps.WARMUP, 7, 7, 0, 0, SECOND / 2, 0);
        recorder.acked(Steps.WARMUP, 45, 45, 0, 0, SECOND + 1, 0);
        recorder.ackedDuring(2, 45, 45, SECOND + 1, 0);
        recorder.received(Steps.WARMUP, 60, 0, SECOND + 1, 0);
        recorder.receivedDuring(2, 60, SECOND + 1, 0);
        for (int second = 1; second < 4; second++) {
            long due = second * SECOND;
            recorder.due(2, due, 100);
            recorder.sent(2, 100, 100, due, due, due, 0, 0);
            recorder.acked(2, 100, 100, due, due, due + 5_000_000, 0);
            recorder.ackedDuring(2, 100, 100, due + 5_000_000, 0);
            recorder.received(2, 100, due, due + E2E_NANOS, 0);
            recorder.receivedDuring(2, 100, due + E2E_NANOS, 0);
        }
        recorder.close();
        TrialEnd end = end(List.of(new TrialEnd.Step(2, "100/s", 1, 4, 3, balance(300, 0))), balance(300, 0));
        JudgedTrial judged = new TrialJudge(
                        writer.end(RecordKeys.with(end, Map.of("measured.from", 1.0, "measured.to", 4.0))))
                .judged();
        assertThat(judged.result().figures().ackedPerSecond()).isEqualTo(115);
        assertThat(judged.caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("earlier-records-counted")))
                .extracting(Caveat::evidence)
                .containsExactly(
                        "acked 115/s of 100/s offered; acked includes 45 records that were due before the measured"
                                + " phase; received 120/s of 100/s offered; received includes 60 records that were due"
                                + " before the measured phase");
    }

    @Test
    void theCpuOfARecordIsThatOfTheMeasuredSeconds() {
        for (int second = 0; second < SECONDS; second++) {
            writer.reading(new Reading(second, "generator", "cpu.cores", 0.15));
        }
        writer.reading(new Reading(SECONDS, "generator", "cpu.cores", 0.9));
        assertThat(new TrialJudge(writer.end(end()))
                        .judged()
                        .result()
                        .generator()
                        .cpuNanosPerRecord())
                .isCloseTo(0.15e9 * SECONDS / 900, within(1.0));
    }

    @Test
    void aTrialWithoutAnyMeasurementIsInvalidAndAllowsNoVerdict() {
        writer = run.trial(SyntheticTrial.of(2, "base", 1), NOON);
        writer.conditions(TrialConditions.NONE);
        writer.reading(new Reading(1, "readers", "lag.records", 0));
        JudgedTrial nothing = new TrialJudge(writer.end(
                        end(List.of(new TrialEnd.Step(2, "100/s", 0, 3, 3, balance(0, 0))), balance(0, 0))))
                .judged();
        assertThat(nothing.result().figures().counts()).isEmpty();
        assertThat(nothing.caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("nothing-measured")))
                .extracting(Caveat::evidence)
                .containsExactly("no message was due, acknowledged or received in the measured phase of 3 s");
        for (String sentence : List.of(
                "lost == 0",
                "failed == 0",
                "lag max < 9",
                "achieved > 1%",
                "acked/s < 9/s",
                "gap < 9s",
                "lost during 100/s == 0")) {
            assertThat(new ExpectationJudge(List.of(nothing)).of(List.of(Sentence.of(sentence))))
                    .extracting(ExpectResult::verdict)
                    .as(sentence)
                    .containsExactly(ExpectResult.UNDECIDED);
        }
        assertThat(nothing.result().steps().get(0).verdict()).isNull();
    }

    /** A crash from 2 s to 4 s: half of the messages due in it are acked at once, the other half at 9 s. */
    @Test
    void disturbanceFiguresIncludeStallsThatEndLater() {
        writer = run.trial(SyntheticTrial.of(2, "base", 1), NOON);
        writer.conditions(TrialConditions.NONE);
        Steps parts =
                Steps.cut(List.of(new Steps.Part(2, 0, 0, 6 * SECOND)), new TreeSet<>(Set.of(2 * SECOND, 4 * SECOND)));
        Recorder recorder = recorder(writer, parts);
        for (int second = 0; second < SECONDS; second++) {
            int part = second < 2 ? 2 : second < 4 ? 3 : 4;
            long due = second * SECOND;
            recorder.due(part, due, 100);
            recorder.acked(part, part == 3 ? 50 : 100, part == 3 ? 50 : 100, due, due, due + 5_000_000, 1);
            recorder.ackedDuring(part, part == 3 ? 50 : 100, part == 3 ? 50 : 100, due + 5_000_000, 1);
        }
        recorder.acked(3, 50, 50, 2 * SECOND, 2 * SECOND, 9 * SECOND, 1);
        recorder.acked(3, 50, 50, 3 * SECOND, 3 * SECOND, 9 * SECOND, 1);
        recorder.close();
        writer.event(new Event(2, Event.DISTURBANCE, "crash: broker 2 is killed"));
        writer.event(new Event(4, Event.DISTURBANCE_OVER, "crash"));
        JudgedTrial crashed = new TrialJudge(folder(2)).judged();
        Figures during = Objects.requireNonNull(crashed.result().figuresDuring("crash"));
        assertThat(during.count(Count.DUE)).isEqualTo(200);
        assertThat(during.count(Count.ACKED)).isEqualTo(200);
        assertThat(during.ackedPerSecond())
                .as("of what happened in these seconds")
                .isEqualTo(50);
        assertThat(during.response().p99()).isCloseTo(7_000, within(10.0));
        assertThat(crashed.result().figures().count(Count.ACKED)).isEqualTo(600);
        assertThat(crashed.result().steps()).hasSize(1);
        assertThat(new ExpectationJudge(List.of(crashed))
                        .of(List.of(
                                Sentence.of("response p99 during crash < 2s"),
                                Sentence.of("response p95 during crash < 2s"),
                                Sentence.of("acked during crash == 200"))))
                .extracting(ExpectResult::verdict)
                .containsExactly(ExpectResult.FAILED, ExpectResult.FAILED, ExpectResult.PASSED);
    }

    @Test
    void offeredRateExcludesTheWaitForTheLastMessage() {
        assertThat(judged().result().figures().offeredPerSecond()).isEqualTo(903 / 6.0);
        writes(SyntheticTrial.counted(2, 400, 903));
        Figures figures = judged().result().figures();
        assertThat(figures.offeredPerSecond()).isEqualTo(400);
        // The last message was received 6 ms after the beginning of the last second.
        assertThat(figures.ackedPerSecond()).isEqualTo(900 / 5.006);
    }

    @Test
    void theLogGrowsByWhatWasReadWithinTheMeasuredTime() {
        double[] appended = {9e9, 100, 140, 5e9, 200, 240, 8e9};
        for (int second = 0; second < appended.length; second++) {
            writer.reading(new Reading(second, "log", "appended.per.s", appended[second]));
        }
        TrialResult made = judged().result();
        assertThat(made.steps())
                .extracting(step -> step.figures().rate(RateKind.APPENDED))
                .containsExactly(120.0, 220.0);
    }

    @Test
    void failureReasonsAreSummedOverWorkersAndSortedByCount() {
        writer.event(new Event(6, "client", "3 failed: TimeoutException: batch # expired"));
        writer.event(new Event(6, "client", "2 failed: HttpFailure: HTTP 503: no server"));
        writer.event(new Event(6, "client", "2 failed: HttpFailure: HTTP 503: no server"));
        assertThat(judged().result().failures())
                .extracting(TrialResult.Failure::text)
                .containsExactly("HTTP 503: 4 (no server)", "Timeout: 3 (batch # expired)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RecordTooLargeException: The message is # bytes when serialized which is larger than #, which is the value of the"
                        + " max.request.size configuration. | RecordTooLarge: 100 (max.request.size)",
                "RecordTooLargeException: The request included a message larger than the max message size the server will accept."
                        + " | RecordTooLarge: 100 (message.max.bytes, or max.message.bytes of the topic)",
                "TimeoutException: Expiring # record(s) for t-#:# ms has passed since batch creation"
                        + " | Timeout: 100 (delivery.timeout.ms)",
                "TimeoutException: Topic t not present in metadata after # ms. | Timeout: 100 (max.block.ms)",
                "NotEnoughReplicasException: Messages are rejected since there are fewer in-sync replicas than required."
                        + " | NotEnoughReplicas: 100 (min.insync.replicas)",
                "TopicAuthorizationException: Not authorized to access topics: [t]"
                        + " | TopicAuthorization: 100 (Not authorized to access topics: [t])",
                "HTTP 503 | HTTP 503: 100",
                "IllegalStateException: null | IllegalState: 100"
            })
    void aReasonStandsWithItsCountAndThePropertyThatSetsTheLimit(String reason, String text) {
        writer.event(new Event(6, "client", "100 failed: " + reason));
        assertThat(judged().result().failures())
                .extracting(TrialResult.Failure::text)
                .containsExactly(text);
    }

    @Test
    void failedTrialReportsItsReason() {
        writer.event(new Event(1, Event.FAILED, "worker 7 ended with exit code 3"));
        assertThat(interruption())
                .extracting(Caveat::evidence)
                .isEqualTo("the trial did not finish (worker 7 ended with exit code 3). The trial has no ledger, so the"
                        + " numbers of lost, duplicated and reordered records are unknown");
    }

    @Test
    void aKilledTrialHasTheSameFiguresForTheSecondsItHas() {
        TrialResult killed = JudgedTrial.of(folder()).result();
        assertThat(killed.seconds()).isEqualTo(6);
        assertThat(killed.figures().count(Count.LOST)).isNull();
        assertThat(killed.figures().count(Count.UNRESOLVED)).isNull();
        assertThat(killed.generator().cpuNanosPerRecord()).isNull();
        assertThat(killed.generator().ceilingPerSecond()).isEqualTo(4_000);
        assertThat(interruption().trial()).isEqualTo(1);
        TrialResult whole = judged().result();
        assertThat(killed.figures().ackedPerSecond())
                .isEqualTo(150)
                .isEqualTo(whole.figures().ackedPerSecond());
        assertThat(killed.figures().response()).isEqualTo(whole.figures().response());
        assertThat(killed.figures().lag()).isEqualTo(whole.figures().lag());
        assertThat(killed.steps()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            StepResult step = killed.steps().get(i);
            StepResult ended = whole.steps().get(i);
            assertThat(step.label()).isEqualTo(ended.label());
            assertThat(step.from()).isEqualTo(ended.from());
            assertThat(step.figures().response()).isEqualTo(ended.figures().response());
            assertThat(step.figures().receivedPerSecond())
                    .isEqualTo(ended.figures().receivedPerSecond());
            assertThat(Objects.requireNonNull(step.verdict()).missed())
                    .isEqualTo(Objects.requireNonNull(ended.verdict()).missed());
        }
        assertThat(killed.steps().get(0).verdict())
                .isEqualTo(whole.steps().get(0).verdict());
    }

    @Test
    void aKilledTrialHasTheCaveatsThatItsFilesCarry() {
        List<String> killed = types(JudgedTrial.of(folder()));
        assertThat(killed).contains("interrupted", "first-trial-cold", "data-on-tmpfs", "proxy-on-the-path");
        List<String> whole = types(judged());
        assertThat(whole).doesNotContain("interrupted").allMatch(killed::contains);
    }

    @Test
    void clusterLeftoversOfATrialRaiseACaveat() {
        writer.event(new Event(9, Event.LEFT, "topic 'a' is left, 100 % of it"));
        assertThat(JudgedTrial.of(folder()).caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("clean-up-failed")))
                .singleElement()
                .extracting(Caveat::evidence)
                .isEqualTo("topic 'a' is left, 100 % of it");
        assertThat(types(judged())).contains("clean-up-failed");
    }

    @Test
    void addedPartitionsRaiseANoteWithTheTime() {
        writer.event(new Event(8.01, "client", Ledger.ADDED + "t-1"));
        assertThat(JudgedTrial.of(folder()).caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("partitions-added")))
                .singleElement()
                .extracting(Caveat::evidence)
                .isEqualTo("at second 8.0 of the trial, partitions were added: t-1");
    }

    @Test
    void aBrokerThatDiesUnaskedBreaksThePromiseToAKilledTrialToo() {
        assertThat(Promises.kept(folder(), JudgedTrial.of(folder()).result())).isTrue();
        writer.event(new Event(2, "broker-1" + Event.DIED, "Killed"));
        assertThat(Promises.kept(folder(), JudgedTrial.of(folder()).result())).isFalse();
    }

    @Test
    void noMoreEventsLagThanWereAckedUntilTheEnd() {
        Trial delivered = SyntheticTrial.delivered();
        writes(new Trial(2, delivered.variant(), 1));
        writer.reading(new Reading(2, "readers", "lag.records", 5_000));
        TrialResult made = judged().result();
        assertThat(made.steps().get(0).figures().lag()).isEqualTo(new LagResult(300L, 300L, null));
        assertThat(made.figures().lag().max()).isEqualTo(300);
    }

    private Caveat interruption() {
        List<Caveat> found = JudgedTrial.of(folder()).caveats().stream()
                .filter(caveat -> caveat.is(CaveatType.named("interrupted")))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void theDrainOfAKilledTrialIsNotMeasured() {
        TrialResult before = JudgedTrial.of(folder()).result();
        writer.reading(new Reading(SECONDS + 1, "readers", "lag.records", 5_000));
        assertThat(JudgedTrial.of(folder()).result().figures().lag())
                .isEqualTo(before.figures().lag())
                .isNotEqualTo(LagResult.NONE);
    }
}
