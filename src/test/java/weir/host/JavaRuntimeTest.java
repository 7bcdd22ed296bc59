package weir.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaRuntimeTest {
    @TempDir
    Path home;

    @Test
    void runtimeWithoutAClassArchiveCannotWriteOne() throws IOException {
        Path server = Files.createDirectories(home.resolve("lib/server"));
        assertThat(new JavaRuntime(home).archivesClasses()).isFalse();
        Files.createFile(server.resolve("classes.jsa"));
        assertThat(new JavaRuntime(home).archivesClasses()).isTrue();
    }

    @Test
    void ourOwnRuntimeHasALauncherAndModules() {
        assertThat(JavaRuntime.own().launcher()).isExecutable();
        assertThat(JavaRuntime.own().modules()).isRegularFile();
    }
}
