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
        String flag = first.flags().get(0);
        assertThat(flag).startsWith("-XX:ArchiveClassesAtExit=" + folder.resolve("weir-1-2."));
        Files.writeString(Path.of(flag.substring(flag.indexOf('=') + 1)), "classes");
        first.keep();

        ClassData second = ClassData.in(folder, JAR);
        assertThat(second.makes()).isFalse();
        assertThat(second.flags().get(0)).startsWith("-XX:SharedArchiveFile=");
        assertThat(Path.of(second.flags().get(0).split("=")[1])).hasContent("classes");
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

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
