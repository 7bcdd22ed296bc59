package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.JavaRuntime;

class WorkerClassArchiveTest {
    private static final String JAR = "/lib/weir-1-2.jar";

    @TempDir
    Path folder;

    @Test
    void theFirstWorkerWritesAndTheNextOneReads() throws IOException {
        WorkerProcess.WorkerClassArchive first = in(folder);
        assertThat(first.makes()).isTrue();
        Path made = file(first.flags().get(0), "-XX:ArchiveClassesAtExit=");
        assertThat(made.getParent()).isEqualTo(folder);
        Files.writeString(made, "classes");
        first.keep();

        WorkerProcess.WorkerClassArchive second = in(folder);
        assertThat(second.makes()).isFalse();
        assertThat(file(second.flags().get(0), "-XX:SharedArchiveFile=")).hasContent("classes");
        assertThat(folder).isDirectoryNotContaining("glob:**/*." + pid() + ".jsa");
    }

    @Test
    void aWorkerThatWroteNoneLeavesTheNextOneToWriteIt() {
        in(folder).keep();
        assertThat(in(folder).makes()).isTrue();
    }

    @Test
    void classesInFoldersAndBuildsWithoutALauncherHaveNone() {
        assertThat(WorkerProcess.WorkerClassArchive.in(folder, "target/classes:/lib/a.jar", JavaRuntime.own())
                        .flags())
                .isEmpty();
        assertThat(in(Path.of("")).flags()).isEmpty();
        assertThat(in(folder.resolve("gone")).flags()).isEmpty();
    }

    @Test
    void aRuntimeWithoutAnArchiveOfItsOwnStartsWorkersAllTheSame() {
        JavaRuntime linked = new JavaRuntime(folder);
        assertThat(WorkerProcess.WorkerClassArchive.in(folder, JAR, linked).flags())
                .isEmpty();
        assertThat(WorkerProcess.WorkerClassArchive.in(folder, JAR, linked).makes())
                .isFalse();
    }

    private static WorkerProcess.WorkerClassArchive in(Path folder) {
        return WorkerProcess.WorkerClassArchive.in(folder, JAR, JavaRuntime.own());
    }

    private static Path file(String flag, String option) {
        assertThat(flag).startsWith(option);
        return Path.of(flag.substring(option.length()));
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }
}
