package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.results.Trials.max;
import static weir.results.Trials.stepped;
import static weir.results.Trials.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.judge.Comparisons;
import weir.judge.LoadCurve;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.plan.CompareSpec;
import weir.plan.RecordKeys;
import weir.plan.Setting;
import weir.plan.syntax.CaveatType;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunResult;
import weir.results.Trials;
import weir.results.value.Caveat;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.LatencyResult;
import weir.results.value.RateKind;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

class ConclusionsTest {
    private static Conclusion of(TrialResult... trials) {
        return found(trials).conclusion();
    }

    private static Conclusion of(double[][] steps) {
        return of(stepped("a", 1, steps));
    }

    /** The file compares nothing, so each variant is compared with the first. */
    private static MadeUpFindings found(TrialResult... trials) {
        List<TrialResult> all = List.of(trials);
        List<String> variants =
                all.stream().map(TrialResult::variant).distinct().toList();
        return new MadeUpFindings(
                all, List.of(), List.of(), List.of(), Comparisons.of(List.of(), variants, all), List.of(), List.of());
    }

    @Test
    void stepsAreAnsweredByTheKneeAndWhatHappensBeyond() {
        assertThat(of(new double[][] {{20_000, 20_000, 2}, {40_000, 40_000, 4.1}, {60_000, 58_260, 310}})
                        .answer())
                .isEqualTo("Sustains 40,000/s with response p99 4.10 ms; does not sustain 60,000/s: achieved 97 %, p99"
                        + " 310 ms (155× the p99 of the calmest step).");
    }

    @Test
    void unbrokenVariantIsNamedBeforeABrokenOne() {
        List<TrialResult> trials =
                List.of(
                        stepped("calm", 1, new double[][] {{100, 100, 2}, {300, 300, 3}}),
                        stepped("lame", 1, new double[][] {{100, 100, 2}, {300, 100, 900}}));
        assertThat(MadeUpFindings.of(trials).breaking("calm", "lame").answer())
                .isEqualTo("“calm” did not break up to 300/s; “lame” breaks at 300/s; one trial each.");
    }

    @Test
    void theFarthestPercentileIsThatOfTheRateThatTheQuestionNames() {
        List<TrialResult> trials = List.of(
                Trials.delivered("direct", 1, new double[][] {{1_000, 1_000, 5}, {2_000, 2_000, 7}}, 60),
                Trials.delivered("kafka", 1, new double[][] {{1_000, 1_000, 5}, {2_000, 2_000, 7}}, 60));
        String question = "At which rate does it break, and what is p99.99 at ";
        List<String> both = List.of("direct", "kafka");
        MadeUpFindings found = MadeUpFindings.of(trials);
        assertThat(found.said(f -> RateSentence.farthest(both, trials, question + "2k/s?")))
                .isEqualTo("“direct”: e2e p99.99 42.0 ms (thin) at 2,000/s; “kafka”: e2e p99.99 42.0 ms"
                        + " (thin) at 2,000/s.");
        assertThat(found.said(f -> RateSentence.farthest(both, trials, question + "3000/s?")))
                .contains("(thin) at 1,000/s; “kafka”")
                .endsWith("(thin) at 1,000/s; 3,000/s was not offered.");
        assertThat(found.said(f -> RateSentence.farthest(both, trials, question + "the lowest rate?")))
                .endsWith("(thin) at 1,000/s.");
    }

    @Test
    void waysOfDeliveringSayWhatTheirTailsAreAtTheSlowestRate() {
        Conclusion conclusion = of(
                Trials.delivered("direct", 1, new double[][] {{10_000, 10_000, 2}, {20_000, 20_000, 3}}, 60),
                Trials.delivered("kafka-broker", 1, new double[][] {{1_000, 1_000, 5}, {20_000, 9_000, 900}}, 940));
        assertThat(conclusion.details())
                .containsExactly(
                        "“direct” at 10,000/s: response p99 2.00 ms, p99.9 4.00 ms, p99.99 6.00 ms; e2e p99 4.00 ms, p99.9"
                                + " 8.00 ms, p99.99 12.0 ms, 60 µs of CPU a record.",
                        "“kafka-broker” at 1,000/s: response p99 5.00 ms, p99.9 10.0 ms, p99.99 15.0 ms (thin); e2e p99"
                                + " 10.0 ms, p99.9 20.0 ms, p99.99 30.0 ms (thin), 940 µs of CPU a record.");
        assertThat(conclusion.scope())
                .contains("all processes share the same cores")
                .doesNotContain("breaking points");
        assertThat(of(new double[][] {{100, 100, 2}}).details()).isEmpty();
    }

    /** A variant with mostly unsent messages has broken; the other variants have an answer, too. */
    @Test
    void variantWithMostlyFailedOperationsHasABreakingPoint() {
        TrialResult calm = stepped("calm", 1, new double[][] {{300, 300, 5}});
        TrialResult lame = stepped("lame", 1, new double[][] {{300, 100, 5}});
        Figures failing = mostlyUnsent(lame, 700, 262, 87.3);
        TrialResult broken = trial("lame", 1, failing, lame.steps());
        assertThat(broken.figures().mostFailed()).isTrue();
        List<TrialResult> trials = List.of(calm, broken);
        Conclusion said = MadeUpFindings.of(trials).breaking("calm", "lame").conclusion();
        assertThat(said.answer()).contains("“calm” did not break up to 300/s", "“lame” breaks at 300/s");
        assertThat(said.losses()).containsExactly("Trial 1 (lame): 438 due but not sent, of 700 due.");
    }

    @Test
    void closedLoopAnswerMarksALowerBound() {
        LatencyResult bound = new LatencyResult(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.5, 500, 98.0, null);
        Figures figures = Trials.figures(
                Map.of(Count.DUE, 500L, Count.ACKED, 490L, Count.UNRESOLVED, 10L),
                Map.of(RateKind.ACKED, 49.0),
                Map.of(LatencyKind.RESPONSE, bound));
        assertThat(of(trial("a", 1, figures, List.of())).answer())
                .isEqualTo("Acked 49/s, response p99 ≥ 3.00 ms (thin).");
    }

    @Test
    void reasonsThatExceedTheHeadlineAreListedBelow() {
        List<TrialResult> trials = new ArrayList<>();
        for (String name : List.of("one", "two", "three", "four", "five", "six", "seven")) {
            trials.add(stepped("the variant " + name, 1, new double[][] {{100, 60, 2}}));
        }
        Conclusion said = MadeUpFindings.of(trials).conclusion();
        assertThat(said.answer()).contains("more variants below").doesNotContain("seven");
        assertThat(said.details()).contains("“the variant seven” does not sustain 100/s: achieved 60 %.");
    }

    /** 487 answers 503 of HAProxy, 2 ms after the request. The client's timeout of 30 s is no headline. */
    @Test
    void answerWithMostlyFailedOperationsHasNoPercentile() {
        LatencyResult bound = new LatencyResult(3e4, 3e4, 3e4, 3e4, 3e4, 3e4, 3e4, 500, 2.6, null);
        LatencyResult two = new LatencyResult(2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 487, null, null);
        LatencyResult five = new LatencyResult(5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 13, null, null);
        Figures failing = Trials.figures(
                Map.of(Count.DUE, 500L, Count.ACKED, 13L, Count.FAILED, 487L),
                Map.of(RateKind.ACKED, 1.3),
                Map.of(LatencyKind.RESPONSE, bound, LatencyKind.FAILURE, two, LatencyKind.SUCCESS, five));
        assertThat(of(trial("a", 1, failing, List.of())).answer())
                .isEqualTo(
                        "Of 500 due, 487 failed after 2.00 ms (p50); response of the other messages is 5.00 ms (thin)"
                                + " at p50 and 5.00 ms (thin) at p99.");
    }

    @Test
    void answerNamesTheSustainedStepBeforeUnsentFasterSteps() {
        TrialResult steps = stepped("a", 1, new double[][] {{100, 100, 5}, {900, 200, 900}});
        Figures failing = mostlyUnsent(steps, 10_000, 3_000, 150);
        assertThat(of(trial("a", 1, failing, steps.steps())).answer())
                .startsWith("Sustains 100/s with response p99 5.00 ms; does not sustain 900/s: achieved 22 %")
                .doesNotContain("never sent");
    }

    @Test
    void comparisonComesFirstAndReportsMostlyFailedVariants() {
        TrialResult calm = stepped("calm", 1, new double[][] {{100, 100, 4}});
        TrialResult lame = Trials.unsent(stepped("lame", 1, new double[][] {{100, 100, 8}}), 600);
        List<TrialResult> trials = List.of(calm, lame);
        List<ComparisonResult> compared =
                Comparisons.of(List.of(new CompareSpec.Over("lame", "calm")), List.of(), trials);
        Conclusion said = MadeUpFindings.of(trials).comparing(compared).conclusion();
        assertThat(said.answer())
                .isEqualTo(
                        "“lame” has 2.00× the response p99 of “calm” (most operations of “lame” failed); no verdict, one"
                                + " trial each. “lame”: Of 1,000 due, 600 were never sent.");
        assertThat(MadeUpFindings.of(List.of(lame, Trials.unsent(calm, 700)))
                        .comparing(compared)
                        .answer())
                .startsWith("“lame”: Of 1,000 due, 600 were never sent; “calm”: Of 1,000 due, 700 were");
    }

    @Test
    void unreachedLimitIsReportedWithAdvice() {
        Conclusion conclusion = of(new double[][] {{100, 100, 2}, {200, 200, 2}});
        assertThat(conclusion.answer())
                .isEqualTo(
                        "Sustains 200/s with response p99 2.00 ms; it was offered no faster rate, so its limit was not"
                                + " reached.");
        assertThat(conclusion.advice()).contains("Offer higher rates to find the limit.");
    }

    @Test
    void answerNamesTheLowestRateIfNoStepIsSustained() {
        assertThat(of(new double[][] {{100, 60, 900}, {200, 60, 900}}).answer())
                .isEqualTo("Does not sustain even the lowest rate, 100/s: achieved 60 %.");
    }

    @Test
    void answerWithMostlyUnsentOperationsHasNoPercentile() {
        TrialResult trial = Trials.unsent(stepped("a", 1, new double[][] {{100, 100, 30_000}}), 600);
        Caveat failed = Caveat.of(CaveatType.named("most-failed"), 1, "");
        String answer = MadeUpFindings.of(List.of(trial)).doubting(failed).answer();
        assertThat(answer).isEqualTo("Of 1,000 due, 600 were never sent.");
    }

    @Test
    void numbersThatAreInvalidOrUnfinishedAreCalledSoFirst() {
        MadeUpFindings run = found(stepped("a", 1, new double[][] {{100, 100, 2}}));
        assertThat(run.doubting(Caveat.of(CaveatType.named("not-steady"), 1, ""))
                        .answer())
                .startsWith("Invalid (not-steady): Sustains 100/s");
        RequestedExperiment asked =
                Trials.asked("x", new RequestedExperiment.Variant("a", 3, new TreeMap<>(), List.of()));
        assertThat(Conclusions.of(new RunFindings(
                                asked,
                                new Machine(Map.of(), Map.of(), List.of()),
                                run.findings().run()))
                        .answer())
                .startsWith("Unfinished, 1 of 3 trials: Sustains 100/s");
    }

    @Test
    void answerReportsASustainedSingleRate() {
        assertThat(of(new double[][] {{100, 100, 2}}).answer())
                .isEqualTo("Sustains 100/s with response p99 2.00 ms; response p50 1.00 ms, p99.9 4.00 ms (thin).");
    }

    @Test
    void onlyWhatDecidedIsGivenAsTheReason() {
        assertThat(of(Trials.unsent(stepped("a", 1, new double[][] {{1_000, 1_000, 4.22}}), 40))
                        .answer())
                .isEqualTo("Does not sustain 1,000/s: 40 unsent.");
        assertThat(of(new double[][] {{5_000, 5_390, 4}}).answer())
                .isEqualTo("Does not sustain 5,000/s: achieved 108 % (includes operations due earlier).");
    }

    @Test
    void rateIsUntestedIfTheGeneratorWasLate() {
        TrialResult late = Trials.late(stepped("a", 1, new double[][] {{1_000, 890, 775}}), 750, 11);
        assertThat(of(late).answer())
                .isEqualTo("Is untested at 1,000/s: the generator itself was late by 750 ms at p99 (achieved"
                        + " 89 %, 11 unsent).");
        TrialResult calm = Trials.late(stepped("b", 1, new double[][] {{1_000, 890, 775}}), 4, 11);
        assertThat(of(calm).answer()).isEqualTo("Does not sustain 1,000/s: achieved 89 %, 11 unsent.");
        assertThat(of(late, calm).answer())
                .contains(
                        "“a” is untested at 1,000/s: the generator itself was late by 750 ms at p99 (achieved 89 %, 11"
                                + " unsent)");
    }

    @Test
    void theRateThatIsCalledTheLowestIsTheLowest() {
        assertThat(of(new double[][] {{100, 98, 5}, {200, 100, 900}, {300, 99, 5}})
                        .answer())
                .isEqualTo("Does not sustain even the lowest rate, 100/s: achieved 98 %.");
    }

    @Test
    void answerHasEndToEndLatencyIfRecordsAreRead() {
        TrialResult read = Trials.read(stepped("a", 1, new double[][] {{100, 100, 2}}), 72);
        assertThat(of(read).answer())
                .startsWith("Sustains 100/s with response p99 2.00 ms and e2e p99 72.0 ms; response p50 ");
        assertThat(of(read, stepped("b", 1, new double[][] {{100, 60, 2}})).answer())
                .startsWith("“a” sustains 100/s with response p99 2.00 ms and e2e p99 72.0 ms; "
                        + "“b” does not sustain 100/s: achieved 60 %;");
    }

    @Test
    void aColdStepIsNotCalledALimit() {
        TrialResult cold =
                stepped("a", 1, new double[][] {{20, 20, 197}, {40, 34, 300}, {80, 72, 300}, {160, 140, 354}});
        assertThat(of(cold).answer())
                .isEqualTo("Sustains 20/s with response p99 197 ms (thin); its limit is unknown: it was not warmed up"
                        + " at 40/s (achieved 85 %; the later step at 80/s achieved 72/s).");
        TrialResult none = stepped("b", 1, new double[][] {{20, 11, 300}, {40, 33, 300}});
        assertThat(of(none).answer()).startsWith("Sustains an unknown rate: it was not warmed up at 20/s");
        assertThat(of(cold, none).answer())
                .contains("“b” sustains an unknown rate: it was not warmed up at 20/s (achieved 55 %; the later"
                        + " step at 40/s achieved 33/s)");
    }

    @Test
    void failedExpectationIsInTheAnswer() {
        MadeUpFindings run = found(stepped("a", 1, new double[][] {{100, 100, 2}}));
        ExpectResult held = new ExpectResult("lost == 0", ExpectResult.PASSED, 0.0, null, null, "0", "");
        ExpectResult failed = new ExpectResult("e2e p99 < 50ms", ExpectResult.FAILED, 72.0, null, null, "72 ms", "");
        assertThat(run.expecting(held).answer()).isEqualTo(run.answer());
        assertThat(run.expecting(held, failed).answer())
                .startsWith("Sustains 100/s")
                .endsWith(". 1 of 2 expectations failed: e2e p99 < 50ms (72 ms).");
    }

    @Test
    void adviceSuggestsASustainableRateIfNoVariantSustainsIt() {
        TrialResult a = stepped("a", 1, new double[][] {{20_000, 12_000, 3_500}});
        TrialResult b = stepped("b", 1, new double[][] {{20_000, 11_000, 3_900}});
        assertThat(of(a, b).advice()).first().asString().contains("rate: 50% of capacity");
        assertThat(of(a, stepped("b", 1, new double[][] {{20_000, 20_000, 9}})).advice())
                .noneMatch(advice -> advice.contains("of capacity"));
    }

    @Test
    void theLoudestDoubtIsAdvisedFirst() {
        List<Caveat> caveats = List.of(
                Caveat.of(CaveatType.named("thin-percentile"), 1, ""),
                Caveat.of(CaveatType.named("generator-paused"), 1, ""),
                Caveat.of(CaveatType.named("shared-cores"), 1, ""),
                Caveat.of(CaveatType.named("not-steady"), 1, ""));
        assertThat(Caveat.severestFirst(caveats))
                .extracting(Caveat::type)
                .containsExactly("not-steady", "shared-cores", "generator-paused", "thin-percentile");
        assertThat(found(max("a", 1, 9))
                        .doubting(caveats.toArray(Caveat[]::new))
                        .conclusion()
                        .advice())
                .containsExactly(
                        CaveatType.named("not-steady").advice(),
                        CaveatType.named("shared-cores").advice(),
                        CaveatType.named("generator-paused").advice());
    }

    private static Conclusion cut(TrialResult... trials) {
        Caveat interrupted = Caveat.of(CaveatType.named("interrupted"), 2, "Ctrl-C");
        return MadeUpFindings.of(List.of(trials)).doubting(interrupted).conclusion();
    }

    @Test
    void trialEndedEarlySustainsNothing() {
        TrialResult ended = stepped("a", 2, new double[][] {{300, 300, 4}});
        assertThat(cut(ended).answer())
                .isEqualTo(
                        "Unfinished, so there is no answer: acked 300/s (0.3 MiB/s), response p99 4.00 ms, over 10 s.");
        assertThat(cut(stepped("a", 1, new double[][] {{300, 300, 2}}), ended).answer())
                .isEqualTo("Sustains 300/s with response p99 2.00 ms; response p50 1.00 ms, p99.9 4.00 ms (thin).");
        assertThat(LoadCurve.of("a", List.of(ended), List.of(Caveat.of(CaveatType.named("interrupted"), 2, "")))
                        .points())
                .extracting(LoadCurve.Point::outcome)
                .containsExactly("unfinished");
    }

    @Test
    void scopeOfAnUnmeasuredTrialSaysNothingWasMeasured() {
        TrialResult never = Trials.unmeasured(Map.of("load.rate", "500/s"));
        assertThat(cut(never).scope())
                .contains("500/s, all before the measured phase")
                .doesNotContain("closed loop");
        TrialResult steps = Trials.unmeasured(Map.of("load.rate.ramp.from", "1/s", "load.rate.ramp.to", "9/s"));
        assertThat(cut(steps).scope()).contains("ramp from 1/s, ramp to 9/s, all before the measured phase");
        assertThat(cut(never).answer()).isEqualTo("Nothing was measured.");
    }

    @Test
    void aClosedLoopIsAnsweredByWhatItCarried() {
        assertThat(of(max("a", 1, 312_000)).answer()).isEqualTo("Acked 312,000/s (312 MiB/s), response p99 12.0 ms.");
    }

    @Test
    void bestVariantIsNamedWithoutVerdictForOneTrialEach() {
        assertThat(of(max("none", 1, 210_000), max("lz4", 1, 312_000)).answer())
                .isEqualTo(
                        "“lz4” acked 312,000/s (312 MiB/s), response p99 12.0 ms; “none” acked 210,000/s (210 MiB/s), "
                                + "response p99 12.0 ms; no verdict, one trial each.");
    }

    @Test
    void fourRepeatsGiveAVerdict() {
        TrialResult[] trials = new TrialResult[8];
        for (int i = 0; i < 4; i++) {
            trials[2 * i] = max("none", i, 210_000 + 1000.0 * i);
            trials[2 * i + 1] = max("lz4", i, 312_000 + 1000.0 * i);
        }
        assertThat(of(trials).answer()).endsWith("; lz4 / none 1.48× [1.47, 1.50] in acked/s, better.");
    }

    @Test
    void lossIsNeverLeftOut() {
        TrialResult trial = trial("a", 1, Trials.figures(100.0, 100, 2, 3), List.of());
        assertThat(of(trial).losses()).containsExactly("Trial 1 (a): 3 lost after they were acked, of 1,000 due.");
    }

    @Test
    void lossIsInTheAnswerOnce() {
        assertThat(of(trial("a", 1, Trials.figures(null, 100, 2, 3), List.of())).answer())
                .isEqualTo("3 acked records were lost. Acked 100/s (0.1 MiB/s), response p99 2.00 ms.");
        Figures paced = Trials.figures(100.0, 100, 2, 1);
        TrialResult steps =
                trial("a", 1, paced, List.of(new StepResult(100.0, 2, "100/s", 0, 10, paced, null, null, null, null)));
        assertThat(of(steps).answer()).isEqualTo("Does not sustain 100/s: 1 lost.");
        TrialResult other = trial("b", 1, Trials.figures(null, 100, 2, 0), List.of());
        assertThat(of(trial("a", 1, Trials.figures(null, 100, 2, 3), List.of()), other)
                        .answer())
                .startsWith("3 acked records were lost under “a”. ");
        TrialResult[] many = Stream.of("a", "b", "c", "d", "e")
                .map(name -> trial(name, 1, Trials.figures(null, 100, 2, name.charAt(0) - 'a'), List.of()))
                .toArray(TrialResult[]::new);
        assertThat(of(many).answer())
                .startsWith("10 acked records were lost under 4 of 5 variants, most under “e”: 4. ");
    }

    @Test
    void tornTransactionsAreAlwaysReported() {
        Atomicity found = new Atomicity(90, 0, 0, 0, 1L, 2L, 3L, 4L, 5L, List.of());
        Figures f = Trials.figures(100.0, 100, 2, 0);
        Figures figures = new Figures(f.counts(), f.rates(), f.latencies(), f.lag(), found);
        assertThat(of(trial("a", 1, figures, List.of())).losses())
                .containsExactly(
                        "Trial 1 (a): transactions were torn: 1 read although aborted, 2 torn, 3 committed as an"
                                + " offset without its record, 4 written without its offset and 5 written twice.");
    }

    @Test
    void nothingMeasuredIsAnAnswerToo() {
        assertThat(of().answer()).isEqualTo("Nothing was measured.");
    }

    private static String againstItself(double[] first, double[] again) {
        List<Setting> same = List.of(new Setting("load.rate", "100/s", "x.yaml:1"));
        List<RequestedExperiment.Variant> variants = List.of(
                new RequestedExperiment.Variant("base", first.length, new TreeMap<>(), same),
                new RequestedExperiment.Variant("base-again", again.length, new TreeMap<>(), same));
        RequestedExperiment asked = new RequestedExperiment(
                "1", "", "x-a-a", "", 1, false, variants, List.of(), new TreeMap<>(), List.of());
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 0; i < first.length; i++) {
            trials.add(stepped("base", i, new double[][] {{100, 100, first[i]}}));
            trials.add(stepped("base-again", i, new double[][] {{100, 100, again[i]}}));
        }
        List<ComparisonResult> comparisons = Comparisons.of(List.of(), List.of("base", "base-again"), trials);
        return Conclusions.of(new RunFindings(
                        asked,
                        new Machine(Map.of(), Map.of(), List.of()),
                        RecordKeys.with(RunResult.NONE, Map.of("trials", trials, "comparisons", comparisons))))
                .answer();
    }

    @Test
    void selfComparisonReportsTheNoiseFloor() {
        assertThat(againstItself(new double[] {10, 10.2, 9.9, 10.1}, new double[] {10.1, 9.9, 10.2, 10}))
                .isEqualTo("“base” is not distinguishable from itself; in 4 trials per side, the smallest visible"
                        + " difference is 3.1 % in response p99 and 4.3 % in response p50.");
        assertThat(againstItself(new double[] {10, 10.2, 9.9, 10.1}, new double[] {12, 12.2, 11.9, 12.1}))
                .startsWith("“base” differs from itself: response p99 1.20×")
                .contains("if the next run also has a difference, this machine drifts, and smaller ones mean nothing");
        assertThat(againstItself(new double[] {10}, new double[] {10})).contains("no verdict");
    }

    @Test
    void theScopeCallsAClosedLoopOne() {
        TrialResult max = max("a", 1, 1_000);
        TrialResult loop = Trials.with(Map.of("load.rate", "one at a time"), max);
        assertThat(of(loop).scope()).contains("one at a time in a closed loop for ");
        assertThat(of(max).scope()).contains("at maximum rate for ");
    }

    @Test
    void theScopeIsThatOfAllTrialsAndNotOfTheFirst() {
        TrialResult slow = stepped("a", 1, new double[][] {{1_000, 1_000, 2}});
        StepResult step = slow.steps().get(0);
        StepResult shorter = RecordKeys.with(Trials.step(2_000, 2, 1, step.figures()), Map.of("seconds", 0.37));
        TrialResult fast = RecordKeys.with(
                Trials.trial("b", 1, slow.figures(), List.of(shorter)),
                Map.of("trial", 2, "seconds", 0.37, "settings", new TreeMap<>(Map.of("load.workload", "produce"))));
        assertThat(of(slow, fast).scope())
                .contains("1,000/s and 2,000/s for 0.37 s to 10 s")
                .doesNotContain("seconds ");
    }

    @Test
    void theScopeNamesEveryReleaseThatVariantsAskedFor() {
        TrialResult old = Trials.with(Map.of("cluster.kafka", "2.7.2"), max("a", 1, 1_000));
        TrialResult young = Trials.with(Map.of("cluster.kafka", "4.3.1"), max("b", 1, 1_000));
        assertThat(of(young, old, young).scope()).contains("Kafka 4.3.1 and 2.7.2");
        assertThat(of(old, old).scope()).doesNotContain("4.3.1");
    }

    @Test
    void theScopeNamesTheShapeOfTheRateAndItsWorkers() {
        TrialResult plain = stepped("a", 1, new double[][] {{2_250, 2_250, 2}});
        StepResult step = RecordKeys.with(plain.steps().get(0), Map.of("label", "ramp 500/s to 4k/s"));
        TrialResult ramp = RecordKeys.with(
                Trials.with(Map.of("load.rate.ramp.from", "500/s"), plain),
                Map.of("generator", new GeneratorResult(null, null, null, null, List.of(), 2), "steps", List.of(step)));
        assertThat(of(ramp).scope())
                .contains("ramp 500/s to 4,000/s, on average 2,250/s for 10 s")
                .contains("2 workers");
        assertThat(of(plain).scope()).startsWith("2,250/s for 10 s").doesNotContain("workers");
    }

    /** Returns the figures of a trial with the response of another one, whose unacked messages were never sent. */
    private static Figures mostlyUnsent(TrialResult like, long due, long acked, double ackedPerSecond) {
        return Trials.figures(
                Map.of(Count.DUE, due, Count.ACKED, acked, Count.UNSENT, due - acked),
                Map.of(RateKind.ACKED, ackedPerSecond),
                Map.of(LatencyKind.RESPONSE, like.figures().response()));
    }
}
