package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    private RunningCommand start(String script) {
        return RunningCommand.start(
                children, "own", List.of("sh", "-c", script), folder, "here:1", folder.resolve("log"));
    }

    private void await(String file) {
        while (!Files.exists(folder.resolve(file))) {
            LockSupport.parkNanos(2_000_000);
        }
    }

    @Test
    void itRunsInItsFolderKnowsTheBrokersAndTakesItsChildrenWithIt() throws IOException {
        RunningCommand command = start("pwd; echo $BOOTSTRAP_SERVERS; sleep 300 & echo $! > child; mv child pid; wait");
        await("pid");
        long child = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        assertThat(ProcessHandle.of(child)).isPresent();
        command.close();
        assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Files.readAllLines(folder.resolve("log")))
                .startsWith(folder.toRealPath().toString(), "here:1");
    }

    @Test
    void whatEndsWellBeforeItsTimeIsFine() {
        RunningCommand command = start("touch done");
        await("done");
        command.close();
        assertThat(folder.resolve("done")).exists();
    }

    @Test
    void whatFailsIsSaidWithItsLastLines() {
        RunningCommand command = start("echo no such topic; touch done; exit 3");
        await("done");
        while (children.living() > 0) {
            LockSupport.parkNanos(2_000_000);
        }
        assertThatThrownBy(command::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the command ended with exit code 3: no such topic");
    }
}
