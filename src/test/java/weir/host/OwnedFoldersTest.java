package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedFoldersTest {
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
    void foldersMadeAboveOursGoWithTheLastOfThem(@TempDir Path parent) {
        Path above = parent.resolve("weir/data");
        OwnedFolders.make(above.resolve("data-1"));
        OwnedFolders.make(above.resolve("data-2"));
        assertThat(OwnedFolders.delete(above.resolve("data-1"))).isTrue();
        assertThat(above.resolve("data-2")).isDirectory();
        assertThat(OwnedFolders.delete(above.resolve("data-2"))).isTrue();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void foldersOfTheUserAndFilesInOnesMadeHereStay(@TempDir Path parent) throws IOException {
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
    void aRelativePathIsIgnoredAsTheStandardSays() {
        HomeFolders relative = new HomeFolders(Map.of("XDG_STATE_HOME", "s", "HOME", "/home/me"), "?");
        assertThat(relative.state()).isEqualTo(Path.of("/home/me/.local/state/weir"));
    }

    @Test
    void withoutAHomeNothingIsMadeInTheCurrentFolder() {
        HomeFolders none = new HomeFolders(Map.of(), "?");
        assertThatThrownBy(none::state)
                .isInstanceOf(HomeFolders.Homeless.class)
                .hasMessageContaining("HOME or XDG_STATE_HOME");
        assertThatThrownBy(none::cache).hasMessageContaining("HOME or XDG_CACHE_HOME");
    }
}
