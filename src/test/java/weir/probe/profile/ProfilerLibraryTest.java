package weir.probe.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilerLibraryTest {
    @TempDir
    Path cache;

    private Path library() throws IOException {
        return ProfilerLibrary.in(cache, "Linux", "amd64");
    }

    @Test
    void itIsWrittenOnceAndOnlyItsOwnerMayReadIt() throws IOException {
        Path first = library();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(first)))
                .isEqualTo("r-x------");
        FileTime old = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(first, old);
        assertThat(library()).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(old);
        try (var files = Files.list(first.resolveSibling(""))) {
            assertThat(files).containsExactly(first);
        }
    }

    @Test
    void anotherFileInItsPlaceIsReplaced() throws IOException {
        Path first = library();
        byte[] bytes = Files.readAllBytes(first);
        Files.delete(first);
        Files.writeString(first, "something else");
        library();
        assertThat(Files.readAllBytes(first)).isEqualTo(bytes);
    }

    @Test
    void nothingIsLoadedFromAFolderThatOthersMayWriteTo() throws IOException {
        Path folder = Files.createDirectory(cache.resolve("profiler"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(this::library)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("others may write there");
    }

    @Test
    void nothingIsLoadedFromBelowAFolderThatOthersMayWriteTo() throws IOException {
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(this::library)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("others may write there");
    }

    @Test
    void theFolderIsOursAloneWhateverTheUmask() throws IOException {
        Path folder = library().resolveSibling("");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void aMachineWithoutALibraryIsNamed() {
        assertThatThrownBy(() -> ProfilerLibrary.in(cache, "Linux", "riscv64"))
                .hasMessage("async-profiler has no library for Linux on riscv64");
        assertThatThrownBy(() -> ProfilerLibrary.in(cache, "Windows", "amd64")).isInstanceOf(IOException.class);
    }

    @Test
    void bothArchitecturesAreThere() throws IOException {
        assertThat(ProfilerLibrary.in(cache, "Linux", "aarch64")).isNotEqualTo(library());
    }
}
