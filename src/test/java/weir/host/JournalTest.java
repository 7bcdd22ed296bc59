package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Leftovers.ResourceType;

class JournalTest {
    /** The owner of journals whose process has ended. */
    private static final String DEAD = "999999999~boot:1~";

    private static Path dead(Path state, String name, String text) throws IOException {
        Path journal = Files.createDirectories(state.resolve("journal"));
        return Files.writeString(journal.resolve(DEAD + name + ".txt"), text);
    }

    @Test
    void aFolderThatWasNotedBeforeItWasMadeIsStillForgotten(@TempDir Path state) throws IOException {
        Path folder = state.resolve("data");
        try (Journal journal = Journal.open(state)) {
            journal.folder(folder);
            Files.createDirectory(folder);
            journal.folderGone(folder);
        }
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }

    @Test
    void fullDiskStopsJournalEntriesButRemovalsStillWork(@TempDir Path state) throws IOException {
        Path folder = state.resolve("data");
        try (Journal journal = Journal.open(state)) {
            journal.folder(folder);
            Path file;
            try (Stream<Path> files = Files.list(state.resolve("journal"))) {
                file = files.findFirst().orElseThrow();
            }
            Path aside = Files.move(file, state.resolve("aside"));
            Files.createSymbolicLink(file, Path.of("/dev/full"));
            assertThatThrownBy(() -> journal.run(folder)).rootCause().hasMessage("No space left on device");
            journal.folderGone(folder);
            Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING);
            journal.folder(state.resolve("later"));
            assertThat(Files.readAllLines(file)).element(1).isEqualTo(" ?");
            journal.folderGone(state.resolve("later"));
        }
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }

    @Test
    void truncatedJournalLineDoesNotBlockOtherLines(@TempDir Path state) throws IOException {
        Path data = Files.createDirectory(state.resolve("data"));
        dead(state, "a", """
                + child 12
                + child x y
                + folder
                + folder no uri
                + topic elsewhere:9092
                + topic elsewhere:9092 weir-a
                + folder %s
                + topic elsewhere:9092 weir-b-cut-he""".formatted("file://" + data));
        Path cut = dead(state, "b", "+ fol");
        assertThat(Journal.clearAll(state)).containsExactly("clean-up after a killed weir: deleted " + data);
        assertThat(Journal.leftovers(state))
                .singleElement()
                .satisfies(left -> assertThat(left.resources())
                        .singleElement()
                        .extracting(Leftovers.Resource::name)
                        .isEqualTo("weir-a"));
        assertThat(cut).doesNotExist();
    }

    @Test
    void aControlGroupIsRemovedOnceItsProcessesAreGone(@TempDir Path state) throws IOException {
        Path group = Files.createDirectory(state.resolve("group"));
        dead(state, "a", "+ cgroup file://" + group + "\n");
        assertThat(Journal.clearAll(state))
                .containsExactly("clean-up after a killed weir: removed control group " + group);
        assertThat(group).doesNotExist();
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }

    @Test
    void clusterLeftoversAreReportedOnceAndStayInTheJournal(@TempDir Path state) throws IOException {
        dead(state, "a", "+ topic a%3A9092 weir-1\n+ group a%3A9092 weir-2\n");
        dead(state, "b", "+ group b%3A9092 weir-3\n+ group b%3A9092 weir-4\n");
        assertThat(Journal.clearAll(state)).isEmpty();
        assertThat(Journal.unreported(state))
                .contains("an earlier run may have left behind topic 'weir-1' on a:9092, group 'weir-2' on a:9092,"
                        + " group 'weir-3' on b:9092 and 1 more; 'weir doctor --clean' deletes the rest");
        assertThat(Journal.unreported(state)).isEmpty();
        List<Leftovers> left = Journal.leftovers(state);
        assertThat(left).flatExtracting(Leftovers::resources).hasSize(4);
        left.forEach(one -> Journal.forget(one, one.resources()));
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }

    @Test
    void noAddressAndNoNameBreaksALine(@TempDir Path state) throws IOException {
        List<Leftovers.Resource> made = List.of(
                new Leftovers.Resource(ResourceType.TOPIC, "h:1, h:2", "weir-a"),
                new Leftovers.Resource(ResourceType.GROUP, "h:1", " weir %2B\n- topic ü"),
                new Leftovers.Resource(ResourceType.GROUP, "", ""));
        Path run = state.resolve("of a killed run");
        Path journal = state.resolve("journal");
        try (Journal alive = Journal.open(state)) {
            made.forEach(alive::resource);
            alive.run(run);
        }
        Path file = onlyFile(journal);
        Files.move(file, journal.resolve(DEAD + "a.txt"));
        Leftovers left = Journal.leftovers(state).get(0);
        assertThat(left.resources()).isEqualTo(made);
        assertThat(left.runs()).containsExactly(run);
        Journal.forget(left, made.subList(0, 2));
        assertThat(Journal.leftovers(state).get(0).resources()).containsExactly(made.get(2));
    }

    private static Path onlyFile(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    @Test
    void journaledRunIsActiveUntilItEnds(@TempDir Path state) {
        Path run = state.resolve("runs/1");
        try (Journal journal = Journal.open(state)) {
            journal.run(run);
            assertThat(Journal.running(state)).containsExactly(run);
            assertThat(Journal.leftovers(state)).isEmpty();
            journal.runOver(run);
            assertThat(Journal.running(state)).isEmpty();
        }
    }

    @Test
    void newFolderHasAUniqueNameAndIsJournaledFirst(@TempDir Path state) {
        try (Journal one = Journal.open(state);
                Journal other = Journal.open(state)) {
            List<Path> made = List.of(
                    one.newFolder("data"), one.newFolder("data"), other.newFolder("data"), other.newFolder("data"));
            assertThat(made).doesNotHaveDuplicates().allMatch(Files::isDirectory);
            made.forEach(OwnedFolders::delete);
            assertThat(one.newFolder("data")).isNotIn(made);
        }
    }

    @Test
    void undeletableFolderStaysInTheJournal(@TempDir Path state) throws IOException {
        // No process can delete a folder below /proc.
        dead(state, "a", "+ folder file:///proc/self/task\n");
        Journal.Cleared cleared = Journal.clear(Journal.leftovers(state).get(0));
        assertThat(cleared.done()).isEmpty();
        assertThat(cleared.failed())
                .singleElement()
                .asString()
                .contains("/proc/self/task could not be deleted", "by hand: rm -r /proc/self/task");
        assertThat(Journal.leftovers(state).get(0).folders()).containsExactly(Path.of("/proc/self/task"));
    }

    @Test
    void undoneJournalLeavesNeitherFoldersNorItsFile(@TempDir Path state) throws IOException {
        Journal journal = Journal.open(state);
        Path folder = journal.newFolder("data");
        Files.writeString(folder.resolve("a"), "x");
        journal.folder(state.resolve("never-made"));
        journal.undo();
        assertThat(state.resolve("journal")).isEmptyDirectory();
    }

    @Test
    void undoNamesTheFolderThatItCannotDeleteAfterAllOthers(@TempDir Path state) {
        Journal journal = Journal.open(state);
        journal.folder(Path.of("/proc/self/task"));
        Path folder = journal.newFolder("data");
        assertThatThrownBy(journal::undo)
                .hasMessageContaining("/proc/self/task could not be deleted")
                .hasMessageContaining("by hand: rm -r /proc/self/task");
        assertThat(folder).doesNotExist();
        assertThat(state.resolve("journal")).isNotEmptyDirectory();
    }

    @Test
    void concurrentCleanupsAndNewRunsDoNotInterfere(@TempDir Path state) throws Exception {
        for (int round = 0; round < 10; round++) {
            List<Path> folders = new ArrayList<>();
            for (int killed = 0; killed < 3; killed++) {
                Path data = Files.createDirectories(state.resolve("data-" + round + "-" + killed));
                for (int file = 0; file < 20; file++) {
                    Files.createDirectories(data.resolve("topic-" + file + "/deep"));
                    Files.writeString(data.resolve("topic-" + file + "/deep/0.log"), "x");
                }
                dead(state, round + "-" + killed, "+ folder file://" + data + "\n");
                folders.add(data);
            }
            Callable<List<String>> clearing = () -> Journal.clearAll(state);
            Callable<List<String>> beginning = () -> {
                try (Journal journal = Journal.open(state)) {
                    Path folder = journal.newFolder("cluster");
                    assertThat(Journal.running(state)).isEmpty();
                    OwnedFolders.delete(folder);
                    journal.folderGone(folder);
                }
                return List.of();
            };
            together(List.of(clearing, clearing, beginning));
            assertThat(folders).noneMatch(Files::exists);
            assertThat(state.resolve("journal")).isEmptyDirectory();
        }
    }

    private static void together(List<Callable<List<String>>> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<List<String>> ended : threads.invokeAll(tasks)) {
                assertThat(ended.get()).noneMatch(line -> line.contains("could not"));
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aProcessThatEndsMayWriteIntoAFolderWhileItIsDeleted(@TempDir Path parent) throws Exception {
        Path folder = Files.createDirectories(parent.resolve("data"));
        Thread ending = new Thread(() -> {
            for (int file = 0; file < 2_000 && Files.exists(folder); file++) {
                try {
                    Files.writeString(folder.resolve("late-" + file), "x");
                } catch (IOException gone) {
                    return;
                }
            }
        });
        ending.start();
        assertThat(OwnedFolders.delete(folder)).isTrue();
        ending.join();
        assertThat(folder).doesNotExist();
        assertThat(OwnedFolders.delete(folder)).isFalse();
    }

    @Test
    void createdParentFoldersAreDeletedWithTheirLastChild(@TempDir Path parent) {
        Path above = parent.resolve("weir/data");
        OwnedFolders.make(above.resolve("data-1"));
        OwnedFolders.make(above.resolve("data-2"));
        assertThat(OwnedFolders.delete(above.resolve("data-1"))).isTrue();
        assertThat(above.resolve("data-2")).isDirectory();
        assertThat(OwnedFolders.delete(above.resolve("data-2"))).isTrue();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void userFoldersAndUserFilesAreKept(@TempDir Path parent) throws IOException {
        Path empty = Files.createDirectories(parent.resolve("empty"));
        OwnedFolders.make(empty.resolve("data"));
        assertThat(OwnedFolders.delete(empty.resolve("data"))).isTrue();
        assertThat(empty).isEmptyDirectory();
        Path made = parent.resolve("made");
        OwnedFolders.make(made.resolve("data"));
        Path note = Files.writeString(made.resolve("note"), "x");
        assertThat(OwnedFolders.delete(made.resolve("data"))).isTrue();
        assertThat(note).exists();
    }

    @Test
    void linksAreDeletedAndNotWhatTheyPointTo(@TempDir Path parent) throws IOException {
        Path kept = Files.writeString(parent.resolve("kept"), "x");
        Path folder = Files.createDirectories(parent.resolve("data"));
        Files.createSymbolicLink(folder.resolve("link"), kept);
        Files.createSymbolicLink(folder.resolve("up"), parent);
        assertThat(OwnedFolders.delete(folder)).isTrue();
        assertThat(kept).exists();
    }

    @Test
    void theStandardsVariablesComeFirstThenHomeThenThePasswdEntry() {
        HomeFolders all =
                new HomeFolders(Map.of("XDG_STATE_HOME", "/s", "XDG_CACHE_HOME", "/c", "HOME", "/home/me"), "/root");
        assertThat(all.state()).isEqualTo(Path.of("/s/weir"));
        assertThat(all.cache()).isEqualTo(Path.of("/c/weir"));
        HomeFolders home = new HomeFolders(Map.of("HOME", "/home/me"), "?");
        assertThat(home.state()).isEqualTo(Path.of("/home/me/.local/state/weir"));
        assertThat(home.cache()).isEqualTo(Path.of("/home/me/.cache/weir"));
        assertThat(new HomeFolders(Map.of(), "/root").state()).isEqualTo(Path.of("/root/.local/state/weir"));
    }

    @Test
    void relativeXdgPathIsIgnored() {
        HomeFolders relative = new HomeFolders(Map.of("XDG_STATE_HOME", "s", "HOME", "/home/me"), "?");
        assertThat(relative.state()).isEqualTo(Path.of("/home/me/.local/state/weir"));
    }

    @Test
    void missingHomeIsReportedWithItsVariable() {
        HomeFolders none = new HomeFolders(Map.of(), "?");
        assertThatThrownBy(none::state)
                .isInstanceOf(HomeFolders.NoHomeFolder.class)
                .hasMessageContaining("HOME or XDG_STATE_HOME");
        assertThatThrownBy(none::cache).hasMessageContaining("HOME or XDG_CACHE_HOME");
    }
}
