package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.hosts.HostCalls.OfferedFile;
import weir.host.Journal;

class HostFilesTest {
    @TempDir
    private Path folder;

    private Journal journal;
    private HostCalls.HostFiles files;

    @BeforeEach
    void open() {
        journal = Journal.open(folder.resolve("state"));
        files = new HostCalls.HostFiles(folder.resolve("cache"), folder.resolve("run"), journal);
    }

    private Path file(String name, int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Files.write(folder.resolve(name), bytes);
    }

    private void send(OfferedFile offered, Path file, int piece) throws IOException {
        byte[] all = Files.readAllBytes(file);
        boolean whole = false;
        for (int from = 0; !whole; from += piece) {
            whole = files.take(offered, from, Arrays.copyOfRange(all, from, Math.min(from + piece, all.length)));
        }
    }

    private static List<Integer> wanted(HostCalls.HostFiles there, OfferedFile offered) throws IOException {
        HostCalls.MissingFiles wanted = there.wanted(List.of(offered));
        assertThat(wanted.root()).isEqualTo(there.root());
        return wanted.files();
    }

    private static Path only(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void cacheableFileIsSentOnceAndKeepsItsPath() throws IOException {
        Path jar = file("a.jar", 10_000);
        OfferedFile offered = SentFiles.offered(jar, true);
        assertThat(wanted(files, offered)).containsExactly(0);
        send(offered, jar, 777);
        Path there = Path.of(files.root() + jar.toString());
        assertThat(there).hasSameBinaryContentAs(jar);
        assertThat(wanted(files, offered)).isEmpty();
        HostCalls.HostFiles ofTheNextRun =
                new HostCalls.HostFiles(folder.resolve("cache"), folder.resolve("next"), journal);
        assertThat(wanted(ofTheNextRun, offered)).isEmpty();
        assertThat(Path.of(ofTheNextRun.root() + jar.toString())).hasSameBinaryContentAs(jar);
        // A file that is damaged in the cache is sent again.
        Files.write(folder.resolve("cache").resolve(offered.sha256()), new byte[10_000]);
        assertThat(wanted(ofTheNextRun, offered)).containsExactly(0);
    }

    @Test
    void secretFileIsPrivateAndNotCached() throws IOException {
        Path store = file("trust.jks", 0);
        OfferedFile offered = SentFiles.offered(store, false);
        assertThat(wanted(files, offered)).containsExactly(0);
        send(offered, store, 10);
        Path there = Path.of(files.root() + store.toString());
        assertThat(there).hasSameBinaryContentAs(store);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there)))
                .isEqualTo("rw-------");
        assertThat(folder.resolve("cache")).doesNotExist();
    }

    @Test
    void fileChangedDuringTransferIsNotStored() throws IOException {
        Path jar = file("a.jar", 100);
        OfferedFile offered = SentFiles.offered(jar, true);
        wanted(files, offered);
        Files.write(jar, new byte[100]);
        assertThatThrownBy(() -> send(offered, jar, 64)).hasMessageContaining("changed while Weir sent this file");
        assertThat(folder.resolve("cache")).isEmptyDirectory();
    }

    @Test
    void partialFileIsJournaledAndDeletedWithTheAgent() throws IOException {
        OfferedFile offered = SentFiles.offered(file("a.jar", 100), true);
        assertThat(files.take(offered, 0, new byte[64])).isFalse();
        Path part = only(folder.resolve("cache"));
        assertThat(only(folder.resolve("state/journal")))
                .content()
                .contains("+ folder " + part.toUri())
                .doesNotContain("- folder");
        journal.undo();
        assertThat(part).doesNotExist();
        assertThat(folder.resolve("state/journal")).isEmptyDirectory();
    }

    @Test
    void filePathsMustBeNormalizedAndAbsolute() {
        for (String path : List.of("/a/../../etc/x", "a", "/a/./b")) {
            OfferedFile offered = new OfferedFile(path, "0".repeat(64), 1, false);
            assertThatThrownBy(() -> wanted(files, offered)).hasMessageContaining("must be a normalized absolute path");
        }
    }

    private String name(String build, String jar, long written, Map<String, String> contents, String library)
            throws IOException {
        Path lib = Files.createDirectories(folder.resolve(build));
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(lib.resolve(jar)))) {
            for (Map.Entry<String, String> each : contents.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTime(written);
                out.putNextEntry(entry);
                out.write(each.getValue().getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        Files.writeString(lib.resolve("library.jar"), library);
        return ProgramFiles.of(lib.resolve(jar).toString()).hash();
    }

    @Test
    void programNameDependsOnlyOnItsContents() throws IOException {
        Map<String, String> contents = Map.of("a", "1", "b", "2");
        String one = name("one", "weir-1.jar", 1_000_000_000_000L, contents, "abc");
        assertThat(one).matches("[0-9a-f]{12}");
        assertThat(name("two", "weir-2.jar", 1_700_000_000_000L, new TreeMap<>(contents), "abc"))
                .isEqualTo(one);
        assertThat(name("three", "weir-1.jar", 1_000_000_000_000L, Map.of("a", "1", "b", "3"), "abc"))
                .as("another class")
                .isNotEqualTo(one);
        assertThat(name("four", "weir-1.jar", 1_000_000_000_000L, contents, "abcd"))
                .as("another library")
                .isNotEqualTo(one);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0+abc, 1.0+abc, true",
        "1.0+abc, 1.0+abd, false",
        "1.0, 1.0+abd, true",
        "1.0+abc, 1.0, true",
        "1.0, 1.1+abd, false",
        "1.0, 1.0, true",
    })
    void buildWithoutAJarIsComparedByItsVersion(String one, String other, boolean same) {
        assertThat(ProgramFiles.sameBuild(one, other)).isEqualTo(same);
    }
}
