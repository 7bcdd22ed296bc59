package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Children;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.host.LocalChild;

/** A host by ssh, which is a shell with its own HOME here, behind a program with the arguments of ssh. */
@Timeout(60)
class SshHostTest {
    private static final byte[] TOKEN = "token\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private Journal journal;
    private Children children;

    @BeforeEach
    void open() throws IOException {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
        Files.createDirectories(folder.resolve("home"));
        program("java", """
                case "$1" in -version) echo 'openjdk version "21.0.2" 2026-01-16' >&2; exit;; esac
                echo "$@" > "$HOME/started"
                cat > "$HOME/token"
                """);
        program("ssh", """
                [ "$1" = gone ] && { echo "ssh: connect to host gone port 22: No route to host" >&2; exit 255; }
                echo "$1" >> "$(dirname "$0")/asked"
                HOME=%1$s/home JAVA_HOME=%1$s XDG_CACHE_HOME= exec sh -c "$2"
                """.formatted(folder));
        Files.createDirectories(folder.resolve("lib"));
        new ZipOutputStream(Files.newOutputStream(folder.resolve("lib/weir-1.jar"))).close();
        Files.writeString(folder.resolve("lib/other.jar"), "two");
    }

    @AfterEach
    void close() {
        children.close();
        journal.close();
    }

    private void program(String name, String script) throws IOException {
        Path file = name.equals("java") ? folder.resolve("bin/java") : folder.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private ProgramFiles program() {
        return ProgramFiles.of(folder.resolve("lib/weir-1.jar").toString());
    }

    private SshHost host(String name) {
        return new SshHost(name, List.of(folder.resolve("ssh").toString()), children, folder.resolve("log"));
    }

    private void start(String name) throws IOException {
        try (LocalChild child = host(name).start(program(), "10.0.0.1:7411", TOKEN)) {
            child.input().close();
            assertThat(child.endsWithin(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void theProgramIsCopiedOnceForEachBuildAndStartedWithItsToken() throws Exception {
        start("me@load-1");
        Path copied = folder.resolve("home/.cache/weir/program/" + program().copy());
        assertThat(copied.resolve("weir-1.jar")).hasSameBinaryContentAs(folder.resolve("lib/weir-1.jar"));
        assertThat(copied.resolve("other.jar")).hasContent("two");
        assertThat(folder.resolve("home/started"))
                .content()
                .contains("-cp " + copied + "/weir-1.jar weir.cli.Main worker --connect 10.0.0.1:7411 --token -")
                .contains("--name load-1");
        assertThat(folder.resolve("home/token")).hasBinaryContent(TOKEN);
        assertThat(folder.resolve("asked")).hasContent("me@load-1\nme@load-1\nme@load-1\n");

        start("me@load-1");
        assertThat(Files.readAllLines(folder.resolve("asked"))).hasSize(5);

        Files.writeString(folder.resolve("lib/other.jar"), "another build");
        start("me@load-1");
        try (var builds = Files.list(folder.resolve("home/.cache/weir/program"))) {
            assertThat(builds).hasSize(2);
        }
    }

    @Test
    void unreachableHostIsReportedWithTheSshMessage() {
        assertThatThrownBy(() -> start("gone"))
                .isInstanceOf(HostUnavailable.class)
                .hasMessageContaining("host 'gone', looking for Java: ")
                .hasMessageContaining("exit code 255: ssh: connect to host gone port 22: No route to host");
    }

    @Test
    void oldJavaIsReportedWithItsVersion() throws Exception {
        program("java", "echo 'openjdk version \"11.0.20\" 2023' >&2\n");
        assertThatThrownBy(() -> start("load-1"))
                .isInstanceOf(HostUnavailable.class)
                .hasMessageContaining("Java must be at least 17, found '11.0.20'");
    }

    @Test
    void missingSshProgramIsReportedInOneLine() {
        SshHost none = new SshHost("load-1", List.of("no-such-ssh"), children, folder.resolve("log"));
        assertThatThrownBy(() -> none.start(program(), "10.0.0.1:7411", TOKEN))
                .isInstanceOf(HostUnavailable.class)
                .hasMessage("host 'load-1': program 'no-such-ssh' was not found on this machine");
    }

    @Test
    void aProgramThatDoesNotRunFromItsJarCannotBeCopied() {
        assertThatThrownBy(() -> ProgramFiles.of("target/classes:lib/other.jar"))
                .hasMessageContaining("does not run from its jar");
    }
}
