package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilerLibraryTest {
    @TempDir
    Path cache;

    private Path library() throws IOException {
        return library("Linux", "amd64");
    }

    private Path library(String system, String architecture) throws IOException {
        return ProfilerLibrary.in(cache, system, architecture, ProfilerLibrary.FilePermissions::of);
    }

    @Test
    void profilerLibraryIsWrittenOnceAndPrivate() throws IOException {
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
                .hasMessageContaining("other users may write there");
    }

    @Test
    void nothingIsLoadedFromBelowAFolderThatOthersMayWriteTo() throws IOException {
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(this::library)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other users may write there");
    }

    /** Returns the real rights of paths, with one exception. */
    private static ProfilerLibrary.FilePermissions.Reader but(
            Path path, UnaryOperator<ProfilerLibrary.FilePermissions> other) throws IOException {
        Path real = path.toRealPath();
        return at -> at.equals(real)
                ? other.apply(ProfilerLibrary.FilePermissions.of(at))
                : ProfilerLibrary.FilePermissions.of(at);
    }

    private void refused(Path path, UnaryOperator<ProfilerLibrary.FilePermissions> rights, String why) {
        assertThatThrownBy(() -> ProfilerLibrary.in(cache, "Linux", "amd64", but(path, rights)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(path + ": " + why);
    }

    private static UnaryOperator<ProfilerLibrary.FilePermissions> owner(int owner) {
        return rights -> new ProfilerLibrary.FilePermissions(owner, rights.group(), rights.mode());
    }

    private static UnaryOperator<ProfilerLibrary.FilePermissions> groupMayWrite(int group) {
        return rights -> new ProfilerLibrary.FilePermissions(rights.owner(), group, rights.mode() | 0020);
    }

    @Test
    void libraryOfAnotherUserIsNotLoaded() throws IOException {
        Path library = library();
        String why = "belongs to another user (4711), so no library is loaded from " + cache;
        for (Path path : List.of(library, library.resolveSibling(""), cache, cache.resolveSibling(""))) {
            refused(Path.of(path.toRealPath().toString()), owner(4711), why);
        }
        assertThat(ProfilerLibrary.in(cache, "Linux", "amd64", but(cache.resolveSibling(""), owner(0))))
                .isEqualTo(library);
    }

    @Test
    void groupWritableFolderIsRefusedUnlessTheGroupIsTheUsersOwn() throws IOException {
        Path library = library();
        int us = ProfilerLibrary.FilePermissions.of(cache).owner();
        refused(cache.toRealPath(), groupMayWrite(us + 1), "other users may write there");
        assertThat(ProfilerLibrary.in(cache, "Linux", "amd64", but(cache, groupMayWrite(us))))
                .isEqualTo(library);
    }

    @Test
    void nothingIsLoadedFromAFolderThatWasGivenAway() throws IOException {
        Path folder = library().resolveSibling("");
        assumeTrue(ProfilerLibrary.FilePermissions.of(folder).owner() == 0, "only root gives a folder away");
        Files.setAttribute(folder, "unix:uid", 4711);
        assertThatThrownBy(this::library).hasMessageContaining("belongs to another user (4711)");
    }

    @Test
    void profilerFolderIsPrivateUnderAnyUmask() throws IOException {
        Path folder = library().resolveSibling("");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void machineWithoutALibraryIsReported() {
        assertThatThrownBy(() -> library("Linux", "riscv64"))
                .hasMessage("async-profiler has no library for Linux on riscv64");
        assertThatThrownBy(() -> library("Windows", "amd64")).isInstanceOf(IOException.class);
    }

    @Test
    void librariesOfBothArchitecturesExist() throws IOException {
        assertThat(library("Linux", "aarch64")).isNotEqualTo(library());
    }
}
