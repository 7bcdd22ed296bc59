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
}
