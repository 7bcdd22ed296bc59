package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.Topics.TopicPartitionLeader;
import weir.feature.NeedsFeature;
import weir.host.FakeMachine;
import weir.measure.Count;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.probe.Probes;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.TrialFolder;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.ExpectResult;
import weir.results.value.HostFacts;
import weir.results.value.TrialResult;
import weir.worker.WorkerFailed;

/** The conducting of runs, on a clock that only loads advance and in a lab of fakes. */
class RunnerTest {
    private static final String PACED = """
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 6s
            """;

    private static final String GIVEN = "cluster: { bootstrap: \"127.0.0.1:1\" }\n" + PACED;

    private static final String STEPS = """
            load: { rate: { steps: [1000/s for 5s, 2000/s for 5s, 4000/s for 8s, 8000/s for 5s], stop: broken } }
            warmup: 2s
            measure: null
            search: { breaking-point: { limits: [response p99 < 1s] } }
            """;

    private static final String SEARCH =
            "search: { capacity: { limits: [response p99 < 100ms], from: 500/s, warmup: 1s, measure: 2s } }\n";

    private static final String SHARE = "load: { rate: 50% of capacity }\nmeasure: 5s\nwarmup: 2s\n";

    @TempDir
    Path dir;

    private FakeLab lab = new FakeLab(Path.of(""));
    private final RecordingListener listener = new RecordingListener();
    private RunLabels labels = RunLabels.NONE;
    private String command = "weir run e.yaml";
    private @Nullable Runner runner;

    private static final class RecordingListener implements RunListener {
        final List<String> trials = new ArrayList<>();
        final List<String> notes = new ArrayList<>();
        final List<String> unfinished = new ArrayList<>();
        final List<String> questions = new ArrayList<>();
        boolean agrees;
        Consumer<Trial> onTrial = trial -> {};

        @Override
        public boolean agrees(String question) {
            questions.add(question);
            return agrees;
        }

        @Override
        public void trial(Trial trial, int of) {
            onTrial.accept(trial);
            trials.add(trial.variant().name() + " " + trial.repeat());
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }

        @Override
        public void unfinished(String command) {
            unfinished.add(command);
        }
    }

    @BeforeEach
    void open() {
        lab = new FakeLab(dir.resolve("state"));
    }

    private static RunLabels labels(Map<String, String> labels) {
        return new RunLabels(new TreeMap<>(labels));
    }

    private RunResult run(String plan) throws IOException {
        return run(plan, 0, RunOptions.NEW);
    }

    private RunResult run(String plan, double maxSeconds, Path resume) throws IOException {
        return run(plan, maxSeconds, resume, 0);
    }

    private RunResult run(String plan, double maxSeconds, Path resume, double maxRate) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options =
                new RunOptions(dir.resolve("runs"), false, maxRate, maxSeconds, resume, "test", command, false, labels);
        runner = new Runner(experiment, options, listener, notes -> lab);
        return runner.run();
    }

    @Test
    void theCommandIsStoredWithoutWhatThePlanSpellsOut() throws IOException {
        command = "weir run e.yaml --set 'load.producer={my: hunter2x}'";
        RunResult result = run(
                "load: { rate: 1000/s, producers: 1, producer: { plugin: { my.idp.pw: hunter2x } } }\nmeasure: 6s\n");
        assertThat(folder(result).asked().command()).isEqualTo("weir run e.yaml --set 'load.producer={my: ***}'");
    }

    private static RunFolder folder(RunResult result) {
        return RunFolder.open(Path.of(result.run()));
    }

    private static List<String> evidence(RunResult result, String caveat) {
        return result.caveats().stream()
                .filter(one -> one.is(CaveatType.named(caveat)))
                .map(Caveat::evidence)
                .toList();
    }

    private AbstractThrowableAssert<?, ?> assertRefused(String plan) {
        return assertThatThrownBy(() -> run(plan)).isInstanceOf(PreflightException.class);
    }

    private void fails(int trial, int second, RuntimeException fault) {
        lab.in(trial, second, () -> {
            throw fault;
        });
    }

    private static List<String> trials(RunResult result) {
        return result.trials().stream().map(TrialResult::variant).toList();
    }

    @Test
    void workerFailureKeepsMeasuredFiguresAndEndsTheRun() throws IOException {
        fails(1, 5, new WorkerFailed("worker 7 ended with exit code 3"));
        RunResult result = run(PACED + "repeat: 2\n");
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(result.conclusion().answer())
                .startsWith("Unfinished, so there is no answer: acked 1,000/s")
                .contains("over 3 s");
        assertThat(evidence(result, "interrupted"))
                .singleElement()
                .asString()
                .startsWith("the trial did not finish (worker 7 ended with exit code 3)");
        assertThat(listener.trials).hasSize(1);
        assertThat(listener.notes).contains("trial 01-base-1 failed: worker 7 ended with exit code 3");
        assertThat(listener.unfinished).hasSize(1);
    }

    @Test
    void clientRefusalFailsPreflightAndLeavesNoRunFolder() {
        fails(
                1,
                0,
                new WorkerFailed(
                        WorkerFailed.Kind.UNFIT, "Not authorized to access topics: [t]", new IOException("1")));
        assertRefused(PACED).hasMessage("Not authorized to access topics: [t]");
        assertThat(dir.resolve("runs")).doesNotExist();
    }

    @Test
    void runFencedByAnotherProducerIsInvalid() throws IOException {
        fails(1, 0, new WorkerFailed(WorkerFailed.Kind.FENCED, "transactional id 'x' is lost", new IOException("1")));
        RunResult result = run(PACED);
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(listener.notes).contains("trial 01-base-1 failed: transactional id 'x' is lost");
    }

    @Test
    void undeletedTopicsInvalidateTheTrial() throws IOException {
        lab.undeleted = "topic 'weir-t' is left";
        RunResult result = run(PACED);
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(result.state(folder(result).asked())).isEqualTo(RunState.INVALID);
        assertThat(evidence(result, "clean-up-failed")).containsExactly("topic 'weir-t' is left");
        assertThat(result.trials()).hasSize(1);
    }

    @Test
    void aFixedListOfTrialsRunsInItsOrder() throws IOException {
        RunResult result = run(PACED + "variants: { a: {}, b: { load: { rate: 500/s } } }\n");
        assertThat(result.exit()).as("%s", result.caveats()).isZero();
        assertThat(trials(result)).containsExactly("a", "b");
        assertThat(result.trials().get(0).figures().ackedPerSecond()).isEqualTo(1_000);
        assertThat(result.trials().get(1).figures().ackedPerSecond()).isEqualTo(500);
        assertThat(result.trials()).allSatisfy(trial -> {
            assertThat(trial.figures().count(Count.LOST)).isZero();
            assertThat(trial.figures().violations()).isEmpty();
        });
        assertThat(listener.unfinished).isEmpty();
    }

    @Test
    void phaseEventsMarkTheBeginOfTheirLoad() throws IOException {
        RunResult result = run("load: { rate: 500/s }\nwarmup: 2s\nmeasure: 3s\n");
        TrialFolder trial = folder(result).trials().get(0);
        double step = at(trial, Event.STEP, "measure");
        assertThat(at(trial, Event.PHASE, "measure")).isEqualTo(step);
        assertThat(at(trial, Event.PHASE, "warm-up")).isEqualTo(step - 2);
        assertThat(Objects.requireNonNull(trial.end()).warmUp().seconds()).isEqualTo(2);
    }

    @Test
    void nullTargetTrialNotesTheMeaningOfAcked() throws IOException {
        RunResult result = run("load: { target: null, rate: 500/s }\nwarmup: none\nmeasure: 1s\n");
        TrialFolder trial = folder(result).trials().get(0);
        assertThat(trial.events())
                .extracting(Event::text)
                .contains("the null target stores nothing, so acked means received by the null target");
    }

    private static double at(TrialFolder trial, String name, String text) {
        return trial.events().stream()
                .filter(event -> event.name().equals(name) && event.text().equals(text))
                .findFirst()
                .orElseThrow()
                .second();
    }

    @Test
    void repeatsAreInterleaved() throws IOException {
        RunResult result = run(PACED + "repeat: 2\nvariants: { a: {}, b: {}, c: {} }\n");
        assertThat(listener.trials).containsExactly("a 1", "b 1", "c 1", "c 2", "b 2", "a 2");
        assertThat(result.trials()).hasSize(6);
        assertThat(lab.clusters)
                .as("one for all")
                .hasSize(1)
                .allSatisfy(one -> assertThat(one.closed).isTrue());
    }

    @Test
    void aClusterThatIsToBeFreshIsStartedForEachTrial() throws IOException {
        run(PACED + "repeat: 3\ncluster: { brokers: 1, fresh: trial }\n");
        assertThat(lab.clusters)
                .hasSize(3)
                .allSatisfy(one -> assertThat(one.closed).isTrue());
    }

    @Test
    void theCapacityIsFoundBetweenWhatHoldsAndWhatDoesNot() throws IOException {
        lab.capacity = 5_000;
        RunResult result = run("search: { capacity: { limits: [response p99 < 100ms], from: 500/s } }\n");
        CapacityResult found = Objects.requireNonNull(result.conclusion().capacity());
        assertThat(found.low()).isLessThanOrEqualTo(5_000);
        assertThat(found.high()).isBetween(5_000.0, 5_600.0);
        assertThat(found.rate()).isBetween(4_500.0, 5_000.0);
        assertThat(found.tried()).anyMatch(Attempt::confirmation);
        assertThat(result.exit()).as("%s", result.caveats()).isZero();
    }

    @Test
    void aSearchWithoutABoundBeginsWarmAndItsTriesShareAWorker() throws IOException {
        lab.capacity = 5_000;
        RunResult result = run("search: { capacity: { limits: [response p99 < 100ms], warmup: 1s, measure: 2s } }\n");
        List<TrialFolder> tries = folder(result).searched();
        TrialResult full = tries.get(0).result();
        assertThat(full.figures().offeredPerSecond()).isNull();
        double most = Objects.requireNonNull(full.figures().ackedPerSecond());
        assertThat(most).isBetween(4_900.0, 5_100.0);
        assertThat(tries.get(1).result().figures().offeredPerSecond()).isCloseTo(most / 4, within(1.0));
        assertThat(tries.get(1).path().resolve("events.csv"))
                .content()
                .contains("flushed written data to the disk within");
        CapacityResult found = Objects.requireNonNull(result.conclusion().capacity());
        assertThat(found.tried().get(0).rate()).isCloseTo(most / 4, within(1.0));
        assertThat(lab.lent).isEqualTo(found.tried().size() + 2);
    }

    /** A capacity trial ends after three or four failed seconds. A warm-up load at the same rate runs to its end. */
    @Test
    void capacitySearchWarmUpRunsFullLengthIfUpperBoundIsUnreachable() throws IOException {
        lab.capacity = 5_000;
        // Small messages: the records of the maximum rate must fit on the disk of this machine.
        RunResult result = run("""
                load: { value: { size: 10B } }
                search: { capacity: { limits: [response p99 < 60s], to: 2M/s, warmup: 1s, measure: 3s } }
                """);
        TrialResult heated = folder(result).searched().get(0).result();
        assertThat(heated.figures().offeredPerSecond()).isCloseTo(2e6, within(1e5));
        assertThat(heated.figures().ackedPerSecond()).isBetween(1.0, 1.7e6);
        // Three times as long as a trial.
        assertThat(heated.seconds()).isGreaterThanOrEqualTo(8.9);
    }

    @Test
    void aShareOfTheCapacityIsTakenOfWhatWasFound() throws IOException {
        lab.capacity = 5_000;
        RunResult result = run(SHARE + SEARCH);
        double found = Objects.requireNonNull(
                Objects.requireNonNull(result.conclusion().capacity()).rate());
        assertThat(result.trials())
                .singleElement()
                .satisfies(trial -> assertThat(trial.figures().ackedPerSecond()).isCloseTo(found / 2, within(10.0)));
    }

    @Test
    void interruptedSearchContinuesOnResume() throws IOException {
        lab.capacity = 5_000;
        lab.in(4, 3, () -> Objects.requireNonNull(runner).interrupt());
        RunResult cut = run(SEARCH);
        assertThat(cut.exit()).isEqualTo(Exit.INTERRUPTED.code());
        CapacityResult before = Objects.requireNonNull(cut.conclusion().capacity());
        RunResult whole = run(SEARCH, 0, Path.of(cut.run()));
        CapacityResult after = Objects.requireNonNull(whole.conclusion().capacity());
        assertThat(after.tried().subList(0, before.tried().size())).isEqualTo(before.tried());
        assertThat(after.rate()).isBetween(4_500.0, 5_000.0);
        assertThat(whole.exit()).isZero();
    }

    @Test
    void breakingPointIsBetweenLastSustainedAndFirstBrokenStep() throws IOException {
        lab.capacity = 3_000;
        RunResult result = run(STEPS);
        assertThat(result.conclusion().breakingPoints()).singleElement().satisfies(point -> {
            assertThat(point.sustained()).isEqualTo(2_000);
            assertThat(point.rate()).isEqualTo(4_000);
        });
        assertThat(result.trials().get(0).steps())
                .as("those behind the break are left out")
                .hasSize(3);
    }

    @Test
    void anInterruptKeepsWhatWasMeasuredAndResumingDoesTheRest() throws IOException {
        String plan = PACED + "variants: { a: {}, b: {}, c: {} }\n";
        lab.in(2, 5, () -> Objects.requireNonNull(runner).interrupt());
        RunResult cut = run(plan);
        assertThat(cut.exit()).isEqualTo(Exit.INTERRUPTED.code());
        assertThat(trials(cut)).containsExactly("a", "b");
        assertThat(cut.trials().get(1).seconds()).isEqualTo(3);
        assertThat(listener.unfinished).containsExactly("weir run e.yaml --resume " + cut.run());
        assertThat(evidence(cut, "interrupted")).isNotEmpty();

        listener.trials.clear();
        RunResult whole = run(plan, 0, Path.of(cut.run()));
        assertThat(listener.trials).as("the one that was cut is done once more").containsExactly("b 1", "c 1");
        assertThat(trials(whole)).containsExactly("a", "b", "c");
        assertThat(whole.exit()).as("%s", whole.caveats()).isZero();
        assertThat(whole.run()).isEqualTo(cut.run());
        assertThat(whole.trials().get(0)).isEqualTo(cut.trials().get(0));
    }

    @Test
    void aRunThatIsInterruptedInItsWarmUpExitsAsInterrupted() throws IOException {
        lab.in(1, 1, () -> Objects.requireNonNull(runner).interrupt());
        RunResult cut = run(PACED + "expect: [lost == 0]\n");
        assertThat(evidence(cut, "nothing-measured")).isNotEmpty();
        assertThat(cut.exit()).isEqualTo(Exit.INTERRUPTED.code());
    }

    @Test
    void resumedRunKeepsTheBrokenPromiseOfAnEarlierTrial() throws IOException {
        lab.in(1, 4, () -> lab.loses = 3);
        lab.in(2, 4, () -> Objects.requireNonNull(runner).interrupt());
        RunResult cut = run(PACED + "repeat: 2\n");
        listener.trials.clear();
        RunResult whole = run(PACED + "repeat: 2\n", 0, Path.of(cut.run()));
        assertThat(listener.trials).containsExactly("base 2");
        assertThat(whole.exit()).isEqualTo(Exit.BROKEN_PROMISE.code());
    }

    @Test
    void aRunIsNotResumedWithAnotherPlan() throws IOException {
        lab.in(1, 5, () -> Objects.requireNonNull(runner).interrupt());
        RunResult cut = run(PACED);
        assertThatThrownBy(() -> run(PACED.replace("1000/s", "2000/s"), 0, Path.of(cut.run())))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("the experiment has changed");
    }

    /** A killed run writes nothing at its end. */
    @Test
    void labelsAreWrittenBeforeMeasuringAndKeptOnResume() throws IOException {
        String plan = PACED + "variants: { a: {}, b: {} }\n";
        List<RunLabels> seen = new ArrayList<>();
        labels = labels(Map.of("commit", "4f2a91c"));
        lab.in(1, 2, () -> seen.add(RunFolder.list(dir.resolve("runs")).get(0).labels()));
        lab.in(2, 5, () -> {
            throw new StackOverflowError("as good as killed");
        });
        assertThatThrownBy(() -> run(plan)).isInstanceOf(StackOverflowError.class);
        assertThat(seen).containsExactly(labels);
        RunFolder killed = RunFolder.list(dir.resolve("runs")).get(0);

        labels = labels(Map.of("commit", "90be1d7", "branch", "main"));
        assertThatThrownBy(() -> run(plan, 0, killed.path()))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("label commit was '4f2a91c' and is '90be1d7'; start a new run");
        assertThat(killed.labels()).isEqualTo(labels(Map.of("commit", "4f2a91c")));
        labels = labels(Map.of("branch", "main"));
        run(plan, 0, killed.path());
        labels = RunLabels.NONE;
        run(plan, 0, killed.path());
        assertThat(killed.labels()).isEqualTo(labels(Map.of("commit", "4f2a91c", "branch", "main")));
    }

    @Test
    void noTrialBeginsWhenTheTimeIsUp() throws IOException {
        RunResult result = run(PACED + "repeat: 5\n", 10, RunOptions.NEW);
        assertThat(result.trials()).hasSize(2);
        assertThat(listener.notes).contains("the time limit of the run (--max-time) is reached");
        assertThat(listener.unfinished).hasSize(1);
    }

    @Test
    void brokerDeathBreaksAPromiseAndKeepsMeasuredFigures() throws IOException {
        lab.in(2, 4, () -> {
            lab.clusters.get(0).dies();
            throw new ClusterUnavailable("no broker answers");
        });
        RunResult result = run(PACED + "repeat: 3\n");
        assertThat(result.exit()).isEqualTo(Exit.BROKEN_PROMISE.code());
        assertThat(result.trials()).isNotEmpty();
        assertThat(listener.notes).anyMatch(note -> note.contains("broker-1 died: it was killed"));
        assertThat(listener.trials).as("no other begins").hasSize(2);
    }

    @Test
    void brokerDeathOnAFullDiskBreaksNoPromise() throws IOException {
        lab.in(2, 4, () -> {
            lab.clusters.get(0).diesOnAFullDisk();
            throw new ClusterUnavailable("no broker answers");
        });
        RunResult result = run(PACED + "repeat: 2\n");
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(listener.notes)
                .anyMatch(note -> note.contains("broker-1 died: it ended with exit code 1")
                        && note.endsWith("the log ends here: No space left on device"));
    }

    @Test
    void unreachableBrokerBreaksNoPromise() throws IOException {
        lab.in(2, 4, () -> {
            lab.clusters.get(0).isLost();
            throw new ClusterUnavailable("no broker answers");
        });
        assertThat(run(PACED + "repeat: 2\n").exit()).isEqualTo(Exit.INVALID.code());
    }

    @Test
    void nullTargetSkipsDrainAndVerification() throws IOException {
        run(PACED);
        assertThat(lab.drained).isPositive();
        assertThat(lab.verified).isTrue();
        lab.verified = false;
        lab.in(1, 4, () -> lab.clusters.get(1).dies());
        RunResult result = run(PACED);
        assertThat(lab.drained).isZero();
        assertThat(lab.verified).isFalse();
        assertThat(result.trials().get(0).seconds()).isLessThan(6);
    }

    @Test
    void unresponsiveClusterLeavesAnUnfinishedRun() throws IOException {
        fails(2, 4, new ClusterUnavailable("no broker answers"));
        RunResult result = run(PACED + "repeat: 3\n");
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(listener.notes)
                .anyMatch(note -> note.contains("trial 02-base-2 failed") && note.contains("no broker answers"));
        assertThat(listener.unfinished).hasSize(1);
    }

    @Test
    void internalFaultOverridesABrokenPromiseExitCode() throws IOException {
        lab.in(1, 4, () -> lab.loses = 3);
        fails(2, 4, new IllegalStateException("a fault"));
        RunResult result = run(PACED + "repeat: 3\nexpect: [response p99 < 1ms]\n");
        assertThat(result.exit()).isEqualTo(Exit.OUR_FAULT.code());
        assertThat(Path.of(result.run(), "failure.txt")).content().contains("a fault");
    }

    @Test
    void lossIsABrokenPromiseDespiteOtherFailures() throws IOException {
        lab.in(1, 4, () -> lab.loses = 3);
        RunResult result = run(PACED + "expect: [response p99 < 1ms]\n");
        assertThat(result.trials().get(0).figures().count(Count.LOST)).isEqualTo(3);
        assertThat(result.expect()).noneMatch(ExpectResult::passed);
        assertThat(result.exit()).isEqualTo(Exit.BROKEN_PROMISE.code());
    }

    @Test
    void anExpectationThatFailsIsTheEndOfARunThatIsValid() throws IOException {
        RunResult result = run(PACED + "expect: [response p99 < 1ms, lost == 0]\n");
        assertThat(result.valid()).isTrue();
        assertThat(result.exit()).isEqualTo(Exit.EXPECTATION_FAILED.code());
    }

    @Test
    void aDiskThatFillsUpEndsTheTrial() throws IOException {
        lab.in(1, 4, () -> lab.diskRoom = -1);
        RunResult result = run(PACED);
        assertThat(result.trials().get(0).seconds()).isEqualTo(3);
        assertThat(evidence(result, "interrupted"))
                .anyMatch(why -> why.contains("has less free space than the reserve"));
    }

    @Test
    void aClusterThatDoesNotStartLeavesNoRunFolder() {
        lab.unavailable = "no Kafka answered";
        assertThatThrownBy(() -> run(PACED)).isInstanceOf(ClusterUnavailable.class);
        assertThat(dir.resolve("runs")).doesNotExist();
    }

    @Test
    void everyReleaseIsFetchedBeforeAnythingIsMeasured() {
        lab.unfetched = "3.9.2";
        assertThatThrownBy(() -> run(PACED + "variants: { old: { cluster: { kafka: 3.9.2 } } }\n"))
                .hasMessage("3.9.2 cannot be fetched");
        assertThat(lab.clusters).isEmpty();
        assertThat(dir.resolve("runs")).doesNotExist();
    }

    private static final String ELSEWHERE = PACED.replace("load: {", "load: { placed: { hosts: [a, b] }, workers: 2, ")
            .replace("producers: 1", "producers: 2");

    @Test
    @NeedsFeature("hosts")
    void hostsAreConnectedOnceBeforeMeasuring() throws IOException {
        RunResult result = run(ELSEWHERE + "repeat: 2\n");
        assertThat(lab.acts).containsExactly("connect [a, b]");
        assertThat(lab.limits)
                .as("a limit for the workers of each trial")
                .hasSize(2)
                .allSatisfy(limit -> assertThat(limit).isLessThan(Duration.ofHours(1)));
        assertThat(lab.clusters)
                .isNotEmpty()
                .allSatisfy(cluster -> assertThat(
                                Objects.requireNonNull(cluster.spec).address())
                        .isEqualTo("10.9.8.7"));
        assertThat(folder(result).machine().hosts())
                .extracting(HostFacts::name, HostFacts::workers)
                .containsExactly(tuple("here", List.of()), tuple("a", List.of(0)), tuple("b", List.of(1)));
    }

    @Test
    @NeedsFeature("hosts")
    void unusableHostFailsPreflight() {
        lab.unreachable = "host 'b' has no Java";
        assertRefused(ELSEWHERE).hasMessage("host 'b' has no Java");
        assertThat(RunFolder.list(dir.resolve("runs"))).isEmpty();
        assertThat(lab.clusters).isEmpty();
    }

    @Test
    @NeedsFeature("http")
    @Tag("with-hosts")
    @Tag("with-stress")
    void hostWithoutResourcesForItsBrokersFailsPreflight() throws IOException {
        lab.machine = FakeMachine.large().unable("within.cpu: 9 cores are more than the 2 of this machine");
        String apart = ELSEWHERE + "cluster: { within: { cpu: 9 }, placed: { hosts: [a] } }\n";
        assertRefused(apart)
                .hasMessage(
                        "variant 'base': host 'a': cluster.within.cpu: 9 cores are more than the 2 of this machine");
        assertThat(RunFolder.list(dir.resolve("runs"))).isEmpty();
        assertThat(lab.clusters).isEmpty();
        lab.machine = FakeMachine.large().withFree(1);
        assertRefused(apart)
                .hasMessage(
                        "variant 'base': host 'a': the heaps of the brokers need 1.0 GiB, and only 0.0 MiB of memory is"
                                + " free; set cluster.heap lower, or place brokers on more hosts");
        lab.machine = FakeMachine.large().without("haproxy", "stress-ng");
        assertThatThrownBy(() -> run("""
                        bridge: { gateway: {}, balancer: haproxy, placed: { hosts: [a] } }
                        load: { engine: http, rate: 100/s }
                        during: { x: { at: 1s, stress: {}, placed: { hosts: [b] } } }
                        """))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("host 'a': bridge.balancer: program 'haproxy' is not on the PATH")
                .hasMessageContaining("host 'b': during.x.stress: program 'stress-ng' is not on the PATH");
        lab.machine = FakeMachine.large();
        run(apart);
        assertThat(lab.acts).contains("connect [a]");
        assertThat(lab.clusters)
                .isNotEmpty()
                .allSatisfy(cluster -> assertThat(
                                Objects.requireNonNull(cluster.spec).address())
                        .isEqualTo(ClusterSpec.LOOPBACK));
    }

    @Test
    void aPropertyThatBrokersDoNotKnowIsRefusedBeforeAnythingIsMeasured() {
        lab.unknown = List.of("no.such");
        assertRefused(PACED + "cluster: { broker: { no.such: 1 } }\n").hasMessageContaining("no.such");
    }

    @Test
    void aClosedLoopIsStoppedAtTheHighestRateThatIsAllowed() throws IOException {
        lab.capacity = 5_000;
        listener.agrees = true;
        RunResult result = run(GIVEN.replace("rate: 1000/s", "rate: max"), 0, RunOptions.NEW, 1_000);
        assertThat(evidence(result, "interrupted")).singleElement().asString().contains("above --max-rate");
        assertThat(result.trials().get(0).seconds()).isLessThan(4);
    }

    @Test
    void aScheduleWithinTheHighestRateMayCatchUp() throws IOException {
        listener.agrees = true;
        lab.in(1, 3, () -> lab.capacity = 100);
        lab.in(1, 5, () -> lab.capacity = 10_000);
        RunResult result = run(GIVEN, 0, RunOptions.NEW, 1_000);
        assertThat(evidence(result, "interrupted")).isEmpty();
    }

    @Test
    void aClusterThatIsGivenIsLoadedWhenTheUserAgrees() throws IOException {
        listener.agrees = true;
        lab.in(1, 3, () -> assertThat(lab.topics).singleElement().asString().startsWith("weir-e-"));
        RunResult result = run(GIVEN);
        assertThat(listener.questions)
                .containsExactly(
                        "Weir will load cluster fake at 127.0.0.1:1 (0 brokers, 4.3.1): up to 8,000 records, 8.3 MiB"
                                + " for each replica, at up to 1,000/s. Continue?");
        assertThat(result.trials().get(0).figures().ackedPerSecond()).isEqualTo(1_000);
        assertThat(result.exit()).as("%s", result.caveats()).isZero();
        assertThat(lab.topics).as("what was made is deleted").isEmpty();
    }

    @Test
    void confirmationStatesAnUnboundedBacklogRate() {
        String consume = """
                cluster: { bootstrap: "127.0.0.1:1" }
                load: { workload: consume, backlog: 1000 records }
                """;
        var unused = assertRefused(consume);
        assertThat(listener.questions)
                .singleElement()
                .asString()
                .endsWith("for each replica, the backlog, which is read without a rate limit. Continue?");
    }

    @Test
    void externalClusterIsUntouchedWithoutConfirmation() {
        assertRefused(GIVEN)
                .hasMessageContaining(
                        "was not started by Weir and requires a confirmation; answer yes on a terminal, or give --yes");
        assertThat(listener.trials).isEmpty();
        assertThat(RunFolder.list(dir.resolve("runs"))).isEmpty();
    }

    @Test
    void aClusterThatIsGivenIsLeftAloneWhenItRefusesTheTopics() {
        listener.agrees = true;
        lab.refuses = "the cluster refuses it: replication factor 3, 1 broker";
        assertRefused(GIVEN).hasMessageContaining("replication factor 3, 1 broker");
        assertThat(listener.questions).isEmpty();
    }

    @Test
    void loadOnAnExternalClusterStopsIfReplicasFallBehind() throws IOException {
        listener.agrees = true;
        lab.in(1, 2, () -> lab.underReplicated = List.of(new TopicPartitionLeader("events", 0)));
        RunResult result = run(GIVEN.replace("6s", "30s"));
        assertThat(result.trials().get(0).seconds()).isEqualTo(12);
        assertThat(result.caveats()).anyMatch(caveat -> caveat.evidence().contains("out of sync for 10 s: [events-0]"));
    }

    @Test
    void aFullSpeedLoadNeedsABoundOnAClusterThatIsGiven() {
        listener.agrees = true;
        assertRefused(GIVEN.replace("1000/s", "max")).hasMessageContaining("is a closed loop");
        assertThat(lab.clusters).isEmpty();
    }

    @Test
    void resumeDoesNotRepeatAFinishedSearch() throws IOException {
        lab.capacity = 5_000;
        String plan = SHARE + "repeat: 2\n" + SEARCH;
        listener.onTrial = trial -> {
            if (!trial.searches() && trial.number() == 2) {
                Objects.requireNonNull(runner).interrupt();
            }
        };
        RunResult cut = run(plan);
        assertThat(cut.exit()).isEqualTo(Exit.INTERRUPTED.code());
        assertThat(cut.trials()).hasSize(1);
        listener.onTrial = trial -> {};
        listener.trials.clear();
        RunResult whole = run(plan, 0, Path.of(cut.run()));
        assertThat(listener.trials).containsExactly("base 2");
        assertThat(whole.conclusion().capacity()).isEqualTo(cut.conclusion().capacity());
        assertThat(whole.trials()).hasSize(2);
        assertThat(whole.exit()).as("%s", whole.caveats()).isZero();
    }

    @Test
    void searchAtItsTimeLimitIsReportedAsCutShort() throws IOException {
        lab.capacity = 5_000;
        RunResult result = run(SEARCH, 60, RunOptions.NEW);
        assertThat(listener.notes).contains("the time limit of the run (--max-time) is reached");
        assertThat(evidence(result, "interrupted"))
                .singleElement()
                .asString()
                .matches("the search for the capacity of base ended early, after \\d+ trials");
        assertThat(listener.unfinished).hasSize(1);
    }

    @Test
    void searchKeepsItsAttemptsIfTheClusterIsLost() throws IOException {
        lab.capacity = 5_000;
        fails(3, 3, new ClusterUnavailable("no broker answers"));
        RunResult result = run(SEARCH);
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
        assertThat(Objects.requireNonNull(result.conclusion().capacity()).tried())
                .hasSize(2);
        assertThat(listener.notes).anyMatch(note -> note.startsWith("a search failed: no broker answers"));
        assertThat(listener.unfinished).hasSize(1);
    }

    @Test
    void noShareIsTakenOfACapacityThatIsNotThere() throws IOException {
        lab.capacity = 100;
        RunResult result = run(SHARE + SEARCH);
        assertThat(result.trials()).isEmpty();
        assertThat(listener.notes)
                .anyMatch(note ->
                        note.startsWith("the search found no capacity, so trials at a share of it are" + " skipped"));
        assertThat(result.exit()).isEqualTo(Exit.INVALID.code());
    }

    @Test
    void theReportOfARunIsMadeOfItsFolder() throws IOException {
        RunResult result = run(PACED + "repeat: 2\n");
        assertThat(folder(result).drawn()).isEqualTo(Probes.drawn());
        assertThat(HtmlReport.write(folder(result))).content().contains("1,000/s");
    }

    @Test
    void brokersThatCountMoreThanWasSentAreDoubted() throws IOException {
        lab.messagesIn = OptionalLong.of(8_000);
        assertThat(evidence(run(PACED), "brokers-count-differs")).isEmpty();
        assertThat(lab.acts).anyMatch(act -> act.startsWith("count "));
        // Another program wrote 100 records to the topic.
        lab.messagesIn = OptionalLong.of(8_100);
        assertThat(evidence(run(PACED), "brokers-count-differs"))
                .singleElement()
                .asString()
                .contains("brokers counted 8,100 records (MessagesIn), but 8,000 were acked");
    }

    @Test
    void brokerCountIsSkippedIfOthersMayWrite() throws IOException {
        lab.messagesIn = OptionalLong.of(1);
        String disturbed =
                PACED + "during: { again: { at: 2s, for: 1s, pause: broker 1 } }\ncluster: { controllers: 1 }\n";
        assertThat(evidence(run(disturbed), "brokers-count-differs")).isEmpty();
        assertThat(lab.acts).noneMatch(act -> act.startsWith("count "));
    }
}
