package weir.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
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
    void aLineThatWasCutKeepsTheOthersFromNothing(@TempDir Path state) throws IOException {
        Path journal = Files.createDirectories(state.resolve("journal"));
        Path data = Files.createDirectory(state.resolve("data"));
        Files.writeString(journal.resolve("1-a.txt"), """
                owner 999999999 boot:1
                + child 12
                + child x y
                + folder
                + folder no uri
                + topic elsewhere:9092
                + topic elsewhere:9092 weir-a
                + folder %s
                + folder fi""".formatted(data.toUri()));
        Files.writeString(journal.resolve("2-b.txt"), "own");
        assertThat(Journal.clearAll(state))
                .containsExactly(
                        "deleted " + data,
                        "topic 'weir-a' may still be on elsewhere:9092; 'weir doctor --clean' deletes it");
        assertThat(Journal.leftovers(state)).hasSize(1);
        assertThat(journal.resolve("2-b.txt")).doesNotExist();
    }

    @Test
    void aRunIsUnderWayUntilItIsOver(@TempDir Path state) {
        Path run = state.resolve("runs/1");
        try (Journal journal = Journal.open(state)) {
            journal.run(run);
            assertThat(Journal.running(state)).containsExactly(run);
            assertThat(Journal.leftovers(state)).isEmpty();
            journal.runOver(run);
            assertThat(Journal.running(state)).isEmpty();
        }
    }
}
