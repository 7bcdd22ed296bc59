package weir.run.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.run.lab.OtherHosts.HostStarter;

class ProcessLabTest {
    @TempDir
    Path state;

    @Test
    void aLabThatCannotBeOpenedLeavesNoJournal() throws IOException {
        // A folder is not readable as the journal of a killed process.
        Path unreadable = Files.createDirectories(state.resolve("journal/1~0~.txt"));
        assertThatThrownBy(() -> ProcessLab.open(state, HostStarter.NONE, note -> {}))
                .isInstanceOf(UncheckedIOException.class);
        try (Stream<Path> journals = Files.list(state.resolve("journal"))) {
            assertThat(journals).containsExactly(unreadable);
        }
    }
}
