package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.admin.Topics.TopicPartitionLeader;
import weir.judge.caveat.MachineCaveats;
import weir.measure.Canary;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.value.Caveat;

class CanaryWatchTest {
    @TempDir
    private Path folder;

    private final List<String> stopped = new ArrayList<>();

    private static Canary cpu(double speed) {
        return new Canary("cpu, all cores", "M steps/s", true, 0.1, List.of(speed, speed * 1.01, speed * 0.99));
    }

    private static List<Caveat> caveats(double before, double after) {
        return MachineCaveats.drifted(
                new weir.results.CanaryResults(List.of(cpu(before)), List.of(cpu(after))).drifted());
    }

    @Test
    void onlyTheShortFormOfAnExperimentIsMeasuredWithoutCanaries(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("e.yaml"), "name: e\ncluster: { brokers: 1 }\ntopics: { t: {} }\n");
        assertThat(before(folder.resolve("whole"), file, Overrides.NONE)).isNotEmpty();
        assertThat(before(folder.resolve("short"), file, Overrides.SHORT)).isEmpty();
    }

    private static Runner.CanaryWatch watch(Path root, Path file, Overrides overrides) {
        Experiment experiment = PlanReader.read(file, overrides);
        RunFolder run = RunFolder.create(
                root, Instant.EPOCH, "name: e\n", RequestedExperiment.of(experiment, "weir", "weir run"), path -> {});
        return new Runner.CanaryWatch(run, experiment, new FakeLab(run.path()), note -> {});
    }

    private static List<Canary> before(Path root, Path file, Overrides overrides) {
        Runner.CanaryWatch watch = watch(root, file, overrides);
        watch.before();
        return watch.folder().canaries().before();
    }

    @Test
    void coresThatAreMoreAndThenLessMakeALimitDoubtful() {
        Canary steady = cpu(1_200);
        Canary torn = new Canary(
                Canary.ALL_CORES,
                "M steps/s",
                true,
                0.1,
                List.of(742.0, 811.0, 812.0, 814.0, 820.0, 1_205.0, 1_215.0, 1_222.0, 1_224.0));
        Canary copies = new Canary("memory copy", "MiB/s", true, 0.2, torn.rounds());
        assertThat(MachineCaveats.unsteady(List.of(steady, copies, steady))).isEmpty();
        assertThat(MachineCaveats.unsteady(List.of(torn, steady)))
                .singleElement()
                .satisfies(caveat -> {
                    assertThat(caveat.is(CaveatType.named("host-noisy"))).isTrue();
                    assertThat(caveat.evidence())
                            .contains("varied from 811 to 1,222 M steps/s.")
                            .endsWith("A repeated search may find a result that differs by this factor: 1.51×");
                });
    }

    @Test
    void unsteadyCoresAreADoubtOnlyForSearches(@TempDir Path folder) throws IOException {
        Path plain =
                Files.writeString(folder.resolve("e.yaml"), "name: e\ncluster: { brokers: 1 }\ntopics: { t: {} }\n");
        Path searching = Files.writeString(
                folder.resolve("s.yaml"),
                Files.readString(plain) + "search: { capacity: { limits: [response p99 < 1s] } }\n");
        assertThat(unsteady(folder.resolve("plain"), plain)).isEmpty();
        assertThat(unsteady(folder.resolve("searching"), searching)).hasSize(1);
    }

    /** Returns the caveats after canaries that vary as much as the machine did before. */
    private static List<Caveat> unsteady(Path root, Path file) {
        Runner.CanaryWatch watch = watch(root, file, Overrides.NONE);
        Canary torn = new Canary(Canary.ALL_CORES, "of another kind", true, 0.1, List.of(1.0, 2.0, 2.0));
        watch.folder().canaries(new weir.results.CanaryResults(List.of(torn), List.of()));
        return watch.after().stream()
                .filter(caveat -> caveat.evidence().contains("the idle machine"))
                .toList();
    }

    @Test
    void machineSpeedChangeDuringARunIsNoisy() {
        assertThat(caveats(1_200, 1_180)).isEmpty();
        assertThat(caveats(1_200, 600)).singleElement().satisfies(caveat -> {
            assertThat(caveat.type()).isEqualTo("host-noisy");
            assertThat(caveat.level()).isEqualTo(CaveatType.Level.DOUBT);
            assertThat(caveat.evidence()).contains("cpu, all cores 1,200 before, 600 M steps/s after");
            assertThat(caveat.trial()).isNull();
        });
        assertThat(caveats(600, 1_200)).as("a faster one is another one, too").hasSize(1);
    }

    @Test
    void aGuardThatCannotSeeEndsTheTrialOnce() {
        DiskGuard guard = guard(() -> {
            throw new IllegalStateException("nobody answered");
        });
        guard.run();
        guard.run();
        assertThat(stopped)
                .containsExactly("Weir can no longer watch the free disk space and the replicas: nobody" + " answered");
    }

    @Test
    void interruptedReplicaCheckDoesNotStopTheTrial() {
        guard(() -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while asking");
                })
                .run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(stopped).isEmpty();
    }

    private DiskGuard guard(Supplier<List<TopicPartitionLeader>> underReplicated) {
        return new DiskGuard(new FakeLab(folder), List.of(folder), underReplicated, stopped::add);
    }
}
