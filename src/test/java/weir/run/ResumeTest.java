package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.plan.Experiment;
import weir.plan.RecordKeys;
import weir.plan.SyntheticTrial;
import weir.plan.property.Property;
import weir.plan.property.ResolvedSecrets;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.Trials;
import weir.results.value.ExpectResult;
import weir.results.value.HostFacts;
import weir.results.value.TrialEnd;
import weir.run.Exit.BrokersGone;
import weir.run.SearchLoop.RunFacts;
import weir.worker.WorkerFailed;

class ResumeTest {
    private static final Property IDEMPOTENT =
            new Property("producer", "enable.idempotence", "true", "true", "true", Property.Source.YOURS);

    @TempDir
    Path dir;

    private Path file = Path.of("");
    private Path rates = Path.of("");

    @BeforeEach
    void write() throws IOException {
        rates = Files.writeString(dir.resolve("rates.csv"), "seconds,rate\n0,100\n5,200\n");
        file = Files.writeString(
                dir.resolve("e.yaml"),
                "name: e\nload: { workload: deliver, rate: { replay: rates.csv } }\nmeasure: null\n");
    }

    private Experiment experiment() {
        return PlanReader.read(file, Overrides.NONE);
    }

    private RunFolder folder() {
        Experiment experiment = experiment();
        return RunFolder.create(
                dir.resolve("runs"),
                Instant.EPOCH,
                "name: e\n",
                RequestedExperiment.of(experiment, "test", "weir run e.yaml"),
                path -> {});
    }

    @Test
    void resumedRunKeepsTheMachineFacts() {
        RunFolder folder = folder();
        folder.machine(new Machine(Map.of("kafka", "4.3.1"), Map.of("base", List.of(IDEMPOTENT)), List.of()));
        RunFacts facts = new RunFacts(folder, experiment());
        facts.take(
                SyntheticTrial.of(2, "other", 1),
                new FakeLab.FakeCluster("127.0.0.1:1", true),
                List.of(RunFacts.here(1, List.of(), List.of())),
                end());
        assertThat(folder.machine().facts()).containsEntry("kafka", "4.3.1");
        assertThat(folder.machine().properties().get("base")).containsExactly(IDEMPOTENT);
        assertThat(folder.machine().hosts()).as("alone").isEmpty();
    }

    @Test
    void everyMachineThatTookPartIsNamed() {
        RunFolder folder = folder();
        HostFacts here = RunFacts.here(0, List.of(), List.of());
        HostFacts there =
                new HostFacts("a", "", 64, 256L << 30, "Linux 6.12", "17.0.17", List.of(0, 1), List.of(), List.of());
        new RunFacts(folder, experiment())
                .take(
                        SyntheticTrial.of(1, "base", 1),
                        new FakeLab.FakeCluster("127.0.0.1:1", true),
                        List.of(here, there),
                        end());
        assertThat(folder.machine().hosts()).containsExactly(here, there);
    }

    private static TrialEnd end() {
        return RecordKeys.with(Trials.end(1, null), Map.of("startedAt", ""));
    }

    @Test
    void aFileOfRatesThatWasChangedMakesAnotherLoad() throws IOException {
        RunFolder folder = folder();
        RequestedExperiment asked = folder.asked();
        folder.machine(new Machine(RunFacts.now(folder, experiment()), new TreeMap<>(), List.of()));
        assertThatCode(() -> Runner.Resume.check(folder, asked, RunFacts.now(folder, experiment()), RunLabels.NONE))
                .doesNotThrowAnyException();
        Files.writeString(rates, "seconds,rate\n0,900\n5,200\n");
        assertThatThrownBy(() -> Runner.Resume.check(folder, asked, RunFacts.now(folder, experiment()), RunLabels.NONE))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("sha256 of rates.csv");
    }

    @Test
    void internalFaultHasTheHighestExitPriority() {
        assertThat(Exit.worst(List.of(Exit.EXPECTATION_FAILED, Exit.OUR_FAULT, Exit.INVALID))
                        .code())
                .isEqualTo(1);
    }

    @Test
    void severalAtOnceFollowTheOrderOfTheContract() {
        assertThat(Exit.worst(List.of(Exit.INVALID, Exit.BROKEN_PROMISE)).code())
                .isEqualTo(5);
        assertThat(Exit.worst(List.of(Exit.EXPECTATION_FAILED, Exit.INVALID)).code())
                .isEqualTo(4);
        assertThat(Exit.worst(List.of(Exit.REGRESSION, Exit.EXPECTATION_FAILED)).code())
                .isEqualTo(99);
        assertThat(Exit.worst(List.of(Exit.FINE, Exit.REGRESSION)).code()).isEqualTo(98);
    }

    @Test
    void failedWorkerClusterOrDiskExitsAsInvalid() {
        assertThat(Exit.of(new WorkerFailed("worker 7 ended with exit code 3"), false))
                .isEqualTo(Exit.INVALID);
        assertThat(Exit.of(new ClusterUnavailable("no broker answers"), false)).isEqualTo(Exit.INVALID);
        UncheckedIOException full =
                new UncheckedIOException("writing to trials", new IOException("No space left on device"));
        assertThat(Exit.of(full, false)).isEqualTo(Exit.INVALID);
        assertThat(Exit.of(new IllegalStateException("a bug"), false)).isEqualTo(Exit.OUR_FAULT);
        BrokersGone gone = new BrokersGone(new ClusterUnavailable("no broker answers"));
        assertThat(Exit.of(gone, false)).isEqualTo(Exit.BROKEN_PROMISE);
        assertThat(Exit.of(new BrokersGone(full), false)).isEqualTo(Exit.INVALID);
    }

    @Test
    void anExpectationThatIsUndecidedIsNotMet() {
        assertThat(expected(ExpectResult.PASSED)).isEqualTo(Exit.FINE);
        assertThat(expected(ExpectResult.FAILED)).isEqualTo(Exit.EXPECTATION_FAILED);
        assertThat(expected(ExpectResult.UNDECIDED)).isEqualTo(Exit.EXPECTATION_FAILED);
    }

    private static Exit expected(String verdict) {
        ExpectResult passed = new ExpectResult("lost = 0", ExpectResult.PASSED, 0.0, null, null, null, null);
        ExpectResult other = new ExpectResult("response p99 < 5ms", verdict, 5.0, null, null, null, null);
        return Exit.of(List.of(passed, other));
    }

    @Test
    void nothingWrongIsFine() {
        assertThat(Exit.worst(List.of()).code()).isZero();
    }

    @Test
    void failedCleanupStepIsReportedAndTheNextRuns() {
        List<String> told = new ArrayList<>();
        TrialRun.CleanUp cleanUp = new TrialRun.CleanUp(new ResolvedSecrets(List.of(), List.of("Open-Sesame")), told);
        cleanUp.step(() -> {
            throw new IllegalStateException("topic t is left on Open-Sesame:9092");
        });
        cleanUp.step(() -> told.add("the next"));
        assertThat(told).containsExactly("topic t is left on ***:9092", "the next");
    }
}
