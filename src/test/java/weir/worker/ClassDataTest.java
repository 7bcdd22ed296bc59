package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassDataTest {
    private static final String JAR = "/lib/weir-1-2.jar";

    @TempDir
    Path folder;

    @Test
    void theFirstWorkerWritesAndTheNextOneReads() throws IOException {
        ClassData first = ClassData.in(folder, JAR);
        assertThat(first.makes()).isTrue();
        Path made = file(first.flags().get(0), "-XX:ArchiveClassesAtExit=");
        assertThat(made.getParent()).isEqualTo(folder);
        Files.writeString(made, "classes");
        first.keep();

        ClassData second = ClassData.in(folder, JAR);
        assertThat(second.makes()).isFalse();
        assertThat(file(second.flags().get(0), "-XX:SharedArchiveFile=")).hasContent("classes");
        assertThat(folder).isDirectoryNotContaining("glob:**/*." + pid() + ".jsa");
    }

    @Test
    void aWorkerThatWroteNoneLeavesTheNextOneToWriteIt() {
        ClassData.in(folder, JAR).keep();
        assertThat(ClassData.in(folder, JAR).makes()).isTrue();
    }

    @Test
    void classesInFoldersAndBuildsWithoutALauncherHaveNone() {
        assertThat(ClassData.in(folder, "target/classes:/lib/a.jar").flags()).isEmpty();
        assertThat(ClassData.in(Path.of(""), JAR).flags()).isEmpty();
        assertThat(ClassData.in(folder.resolve("gone"), JAR).flags()).isEmpty();
    }

    private static Path file(String flag, String option) {
        assertThat(flag).startsWith(option);
        return Path.of(flag.substring(option.length()));
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
