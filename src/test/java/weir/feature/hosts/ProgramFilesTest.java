package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramFilesTest {
    @TempDir
    private Path folder;

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
    void theSameSourcesHaveTheSameNameWheneverTheyWereBuilt() throws IOException {
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
    void aBuildThatIsNotInOneJarTellsItsVersionAlone(String one, String other, boolean same) {
        assertThat(ProgramFiles.sameBuild(one, other)).isEqualTo(same);
    }
}
