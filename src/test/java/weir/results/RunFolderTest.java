package weir.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Canary;
import weir.plan.SyntheticTrial;
import weir.plan.property.Property;

class RunFolderTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    @TempDir
    Path root;

    private RunFolder started(String name, int second) {
        return RunFolder.create(root, NOON.plusSeconds(second), "name: " + name, Trials.asked(name), path -> {});
    }

    /** Returns a run whose first trial has written the row of a second. */
    private RunFolder run(String name, int second) {
        RunFolder folder = started(name, second);
        trial(folder, WindowRow.HEADER + "\n0,1,2\n");
        return folder;
    }

    private static void trial(RunFolder folder, String windows) {
        try {
            Path trial = Files.createDirectory(folder.path().resolve("trials/01-base-1"));
            RunFiles.put(
                    trial.resolve("started.json"),
                    ResultJson.write(new TrialFolder.Started(
                            1,
                            "base",
                            1,
                            NOON.toString(),
                            new TreeMap<>(),
                            PlannedTrial.of(SyntheticTrial.of(1, "base", 1).variant()))));
            Files.writeString(trial.resolve("windows.csv.part"), windows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void nameSkipsRunsWithoutMeasurements() {
        RunFolder first = run("hello", 0);
        RunFolder killed = started("hello", 1);
        RunFolder second = run("hello", 2);
        RunFolder failed = started("hello", 3);
        trial(failed, WindowRow.HEADER + "\n");
        failed.failed("PreflightException: the disk is full");
        assertThat(RunFolder.resolve(root, "hello").path()).isEqualTo(second.path());
        assertThat(RunFolder.resolve(root, "hello~1").path()).isEqualTo(first.path());
        assertThat(RunFolder.resolveUnfinished(root, "hello").path()).isEqualTo(failed.path());
        assertThat(RunFolder.unconcluded(root))
                .as("one that failed was not killed")
                .containsExactly(first.path(), killed.path(), second.path());
    }

    @Test
    void runFolderIsAnnouncedBeforeItsCreation() {
        List<Path> told = new ArrayList<>();
        RequestedExperiment asked = started("hello", 0).asked();
        RunFolder second = RunFolder.create(root, NOON, "name: hello", asked, path -> {
            assertThat(path).doesNotExist();
            told.add(path);
            if (told.size() == 1) {
                // Another run makes its folder in the same second, but earlier.
                assertThat(path.toFile().mkdir()).isTrue();
            }
        });
        assertThat(told).hasSize(2).endsWith(second.path());
    }

    @Test
    void runFolderIsPrivate() throws Exception {
        RunFolder folder = run("hello", 0);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
        assertThat(folder.path()).hasFileName("20261120-120000-hello");
    }

    @Test
    void twoRunsOfTheSameSecondHaveFoldersOfTheirOwn() {
        assertThat(run("hello", 0).path()).isNotEqualTo(run("hello", 0).path());
        assertThat(RunFolder.list(root)).hasSize(2);
    }

    @Test
    void aNameIsItsNewestRunAndTildeCountsBack() {
        RunFolder first = run("hello", 0);
        run("other", 1);
        RunFolder second = run("hello", 2);
        assertThat(RunFolder.resolve(root, "hello").path()).isEqualTo(second.path());
        assertThat(RunFolder.resolve(root, "hello~1").path()).isEqualTo(first.path());
        assertThat(RunFolder.resolve(root, first.path().toString()).path()).isEqualTo(first.path());
        assertThat(RunFolder.list(root)).extracting(RunFolder::name).containsExactly("hello", "other", "hello");
        assertThatThrownBy(() -> RunFolder.resolve(root, "hello~2"))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("there are only 2 runs of 'hello'");
        assertThatThrownBy(() -> RunFolder.resolve(root, "helo"))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("there are: hello, other");
    }

    @Test
    void foreignFolderIsRefusedInOneLine() throws Exception {
        Path foreign = Files.createDirectory(root.resolve("photos"));
        assertThatThrownBy(() -> RunFolder.open(foreign))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("has no experiment.json")
                .hasMessageNotContaining("\n");
        Files.writeString(foreign.resolve("experiment.json"), "{ \"name\": \n\n 12 ");
        assertThatThrownBy(() -> RunFolder.open(foreign))
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("experiment.json (line 3)")
                .hasMessageNotContaining("\n");
        Files.writeString(foreign.resolve("experiment.json"), "null");
        assertThatThrownBy(() -> RunFolder.open(foreign)).isInstanceOf(UnreadableRunException.class);
    }

    @Test
    void machineFileIsReadBackUnchanged() throws Exception {
        RunFolder folder = run("hello", 0);
        assertThat(folder.machine().facts()).isEmpty();
        Property acks = new Property("producer", "acks", "", "-1", "all", Property.Source.OVERRIDDEN);
        Machine machine = new Machine(Map.of("kernel", "6.12"), Map.of("base", List.of(acks)), List.of());
        folder.machine(machine);
        assertThat(folder.machine()).isEqualTo(machine);
        assertThat(Files.readString(folder.path().resolve("machine.json"))).contains("\"default\" : \"all\"");
    }

    @Test
    void aPropertyThatIsNotWholeIsRefused() throws Exception {
        RunFolder folder = run("hello", 0);
        Files.writeString(folder.path().resolve("machine.json"), """
                {"facts": {}, "properties": {"base": [{"of": "producer", "name": "acks", "requested": "", "effective": "all",
                 "default": "all", "source": "default"}]}}""");
        assertThatThrownBy(folder::machine)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining(
                        "machine.json (line 2): was not written by a run: properties.base[0].remark is missing");
    }

    @Test
    void aRunWithoutItsFilesIsStillARun() {
        RunFolder folder = started("hello", 0);
        assertThat(folder.result()).isEmpty();
        assertThat(folder.trials()).isEmpty();
        assertThat(folder.experimentYaml()).isEqualTo("name: hello");
        assertThat(folder.asked().command()).isEqualTo("weir run x.yaml");
    }

    @Test
    void aMachineThatNamesNoHostsWasAlone() throws IOException {
        RunFolder folder = started("hello", 0);
        Files.writeString(
                folder.path().resolve("machine.json"), "{ \"facts\": { \"kernel\": \"6.1\" }, \"properties\": {} }");
        assertThat(folder.machine().facts()).containsEntry("kernel", "6.1");
        assertThat(folder.machine().hosts()).isEmpty();
    }

    @Test
    void unwritableDiskIsFoundInTheCauses() {
        assertThat(UnwritableDisk.reason(new UncheckedIOException("opening", new AccessDeniedException("/j"))))
                .contains("'/j' cannot be written by this user");
        assertThat(UnwritableDisk.reason(new IllegalStateException(
                        new UncheckedIOException("writing", new IOException("No space left on device")))))
                .contains("No space left on device");
        assertThat(UnwritableDisk.reason(new UncheckedIOException(
                        "making", new FileSystemException("/j/x", null, "Read-only file system"))))
                .contains("'/j/x': Read-only file system");
    }

    @Test
    void otherExceptionsAreNoFullDisk() {
        assertThat(UnwritableDisk.reason(new IllegalStateException("no"))).isEmpty();
        assertThat(UnwritableDisk.reason(new UncheckedIOException(new NoSuchFileException("/j"))))
                .isEmpty();
        assertThat(UnwritableDisk.reason(new UncheckedIOException(new IOException("Broken pipe"))))
                .isEmpty();
    }

    private static Canary of(String name, double... rounds) {
        return new Canary(
                name, "x/s", true, 0.1, java.util.Arrays.stream(rounds).boxed().toList());
    }

    @Test
    void canaryDriftRequiresBothMeasurements() {
        CanaryResults canaries = new CanaryResults(
                List.of(of("cpu", 100, 101, 99), of("memory", 10, 11, 9), of("gone", 1)),
                List.of(of("memory", 10, 12, 9), of("cpu", 70, 71, 69), of("new", 9)));
        assertThat(canaries.pairs()).hasSize(2);
        assertThat(canaries.drifted()).extracting(pair -> pair.before().name()).containsExactly("cpu");
        assertThat(CanaryResults.NONE.drifted()).isEmpty();
    }

    @Test
    void aChangeThatCountsWithOverlappingIntervalsIsNotCalledTheSame() {
        Canary before = of("cpu", 90, 100, 130);
        Canary after = of("cpu", 100, 117, 120);
        assertThat(after.counts(before)).isTrue();
        assertThat(new CanaryResults.Pair(before, after).verdict()).isEqualTo("unknown: the intervals overlap");
        assertThat(new CanaryResults.Pair(before, of("cpu", 200, 200, 200)).verdict())
                .isEqualTo("another");
        assertThat(new CanaryResults.Pair(before, before).verdict()).isEqualTo("the same");
    }

    @Test
    void theyComeBackAsTheyWereWritten(@TempDir Path root) {
        RunFolder run = Trials.folder(root, Instant.parse("2026-11-20T12:00:00Z"), Trials.asked("x"));
        assertThat(run.canaries()).isEqualTo(CanaryResults.NONE);
        CanaryResults canaries = new CanaryResults(List.of(of("cpu", 1, 2, 3)), List.of(of("cpu", 2, 3, 4)));
        run.canaries(canaries);
        assertThat(run.canaries()).isEqualTo(canaries);
    }
}
