package weir.feature.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Children;
import weir.host.Journal;
import weir.host.LocalHost;
import weir.host.ProcessId;

@Timeout(20)
class RunningCommandTest {
    @TempDir
    Path folder;

    private Journal journal;
    private Children children;

    @BeforeEach
    void open() {
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
    }

    @AfterEach
    void close() {
        children.close();
        journal.close();
    }

    private CommandFeature.RunningCommand start(String script) {
        return CommandFeature.RunningCommand.start(
                new LocalHost(children), "own", List.of("sh", "-c", script), folder, "here:1", folder.resolve("log"));
    }

    private void await(String file) throws InterruptedException {
        while (!Files.exists(folder.resolve(file))) {
            Thread.sleep(2);
        }
    }

    private ProcessId started() throws IOException {
        return ProcessId.of(
                Long.parseLong(Files.readString(folder.resolve("pid")).strip()));
    }

    @Test
    void commandRunsInItsFolderWithBootstrapAndCloseKillsItsChildren() throws Exception {
        CommandFeature.RunningCommand command =
                start("pwd; echo $BOOTSTRAP_SERVERS; sleep 300 & echo $! > child; mv child pid; wait");
        await("pid");
        ProcessId child = started();
        assertThat(child.alive()).isTrue();
        command.close();
        assertThat(child.alive()).isFalse();
        assertThat(Files.readAllLines(folder.resolve("log")))
                .startsWith(folder.toRealPath().toString(), "here:1");
    }

    @Test
    void childrenEndWithTheirCommand() throws Exception {
        CommandFeature.RunningCommand command = start("sleep 300 & echo $! > child; mv child pid");
        await("pid");
        ProcessId child = started();
        while (child.alive()) {
            Thread.sleep(2);
        }
        command.close();
    }

    @Test
    void earlySuccessOfACommandIsNoFailure() throws Exception {
        CommandFeature.RunningCommand command = start("touch done");
        await("done");
        command.close();
        assertThat(folder.resolve("done")).exists();
    }

    @Test
    void failedCommandReportsItsExitCodeAndLastLines() throws Exception {
        CommandFeature.RunningCommand command = start("echo no such topic; touch done; exit 3");
        await("done");
        while (children.living() > 0) {
            Thread.sleep(2);
        }
        assertThatThrownBy(command::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the command ended with exit code 3: no such topic");
    }
}
