package weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserTest {
    @TempDir
    Path folder;

    @Test
    void onADesktopTheReportIsGivenToItsOpener() throws Exception {
        Path opened = folder.resolve("opened");
        Path opener = folder.resolve("xdg-open");
        Files.writeString(opener, "#!/bin/sh\nprintf %s \"$1\" > '" + opened + "'\n");
        Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
        Map<String, String> desktop = Map.of("DISPLAY", ":0", "PATH", "/nowhere:" + folder);
        Path report = folder.resolve("a report.html");

        assertThat(Browser.there(desktop)).isTrue();
        assertThat(Browser.open(report, desktop).waitFor()).isZero();
        assertThat(opened).hasContent(report.toString());
    }

    @Test
    void withoutADesktopNothingIsOpened() {
        Map<String, String> server = Map.of("PATH", "/nowhere");
        assertThat(Browser.there(server)).isFalse();
        assertThatThrownBy(() -> Browser.open(folder.resolve("report.html"), server))
                .hasMessageContaining("no desktop");
    }
}
