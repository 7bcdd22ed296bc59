package weir.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class UnwritableTest {
    @Test
    void theReasonIsFoundBelowWhatWasBeingDone() {
        assertThat(Unwritable.reason(new UncheckedIOException("opening", new AccessDeniedException("/j"))))
                .contains("'/j' may not be written by this user");
        assertThat(Unwritable.reason(new IllegalStateException(
                        new UncheckedIOException("writing", new IOException("No space left on device")))))
                .contains("No space left on device");
        assertThat(Unwritable.reason(new UncheckedIOException(
                        "making", new FileSystemException("/j/x", null, "Read-only file system"))))
                .contains("'/j/x': Read-only file system");
    }

    @Test
    void otherFaultsAreOurs() {
        assertThat(Unwritable.reason(new IllegalStateException("no"))).isEmpty();
        assertThat(Unwritable.reason(new UncheckedIOException(new NoSuchFileException("/j"))))
                .isEmpty();
        assertThat(Unwritable.reason(new UncheckedIOException(new IOException("Broken pipe"))))
                .isEmpty();
    }
}
