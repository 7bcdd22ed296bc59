package weir.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.host.Leftovers.ResourceType;

@Timeout(20)
class ChildrenTest {
    @TempDir
    Path folder;

    private Journal journal;
    private Children children;

    @BeforeEach
    void open() {
        journal = Journal.open(folder.resolve("own"));
        children = Children.open(journal);
    }

    @AfterEach
    void close() {
        children.close();
        journal.close();
    }

    @Test
    @NeedsFeature("command")
    void nothingOutlivesAParentThatIsKilledExceptWhatIsMeantTo() throws Exception {
        Files.createDirectories(folder.resolve("data/deep"));
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "weir.feature.command.Doomed",
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<ProcessId> born = new ArrayList<>();
        try (var lines = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            for (String pid : lines.readLine().split(" ", -1)) {
                born.add(ProcessId.of(Long.parseLong(pid)));
            }
            assertThat(born).hasSize(5).allMatch(ProcessId::alive);
            assertThat(Journal.leftovers(folder.resolve("state")))
                    .as("while the parent lives")
                    .isEmpty();
            parent.destroyForcibly().waitFor();
        }
        for (ProcessId tied : born.subList(0, 4)) {
            waitUntilGone(tied);
        }

        Leftovers left = Journal.leftovers(folder.resolve("state")).get(0);
        assertThat(left.running()).containsExactly(born.get(4));
        assertThat(left.resources())
                .containsExactly(new Leftovers.Resource(ResourceType.TOPIC, "elsewhere:9092", "weir-b"));
        assertThat(Journal.clear(left).done())
                .containsExactly("killed process " + born.get(4).pid(), "deleted " + folder.resolve("data"));
        assertThat(born.get(4).alive()).isFalse();
        assertThat(folder.resolve("data")).doesNotExist();
        Leftovers kept = Journal.leftovers(folder.resolve("state")).get(0);
        assertThat(kept.resources()).isEqualTo(left.resources());
        assertThat(kept.children()).isEmpty();
        Journal.forget(kept, kept.resources());
        assertThat(Journal.leftovers(folder.resolve("state"))).isEmpty();
    }

    @Test
    void attachFilesAndTemporaryFilesGoWithTheChildrenThatMadeThem() throws Exception {
        Path temporary = children.temporary();
        Files.writeString(temporary.resolve("liblz4.so"), "x");
        LocalChild closed = start("exec cat");
        LocalChild killed = start("exec cat");
        List<Path> files = new ArrayList<>();
        for (LocalChild child : List.of(closed, killed)) {
            Path file = Path.of("/tmp/.java_pid" + child.id().pid());
            // The file of an earlier JVM with the same number is a socket, and cannot be written.
            Files.deleteIfExists(file);
            files.add(Files.writeString(file, ""));
        }
        assertThat(closed.id().alive()).isTrue();
        assertThat(killed.id().kill()).isTrue();
        assertThat(files.get(1)).doesNotExist();
        children.close();
        assertThat(files.get(0)).doesNotExist();
        assertThat(temporary).doesNotExist();
    }

    @Test
    void aChildOutlivesTheThreadThatAskedForIt() throws Exception {
        List<LocalChild> started = new ArrayList<>();
        Thread asking = new Thread(() -> started.add(start("exec cat")));
        asking.start();
        asking.join();
        LocalChild child = started.get(0);
        child.input().write("still here\n".getBytes(StandardCharsets.UTF_8));
        child.input().close();
        assertThat(new String(child.output().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("still here\n");
        assertThat(child.exit().get(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void childDoesNotStartIfItsParentAlreadyDied() throws Exception {
        Path proof = folder.resolve("proof");
        List<String> tied = Children.ParentDeathSignal.ofThisMachine().tied(1, List.of("touch", proof.toString()));
        assertThat(new ProcessBuilder(tied).start().waitFor()).isNotZero();
        assertThat(proof).doesNotExist();
    }

    @Test
    void settingsOfTheCallersShellDoNotReachAChild() throws Exception {
        ProcessBuilder shell = new ProcessBuilder();
        shell.environment().clear();
        shell.environment().put("KAFKA_OPTS", "-javaagent:x");
        shell.environment().put("JAVA_TOOL_OPTIONS", "-Xmx1m");
        shell.environment().put("PATH", "/bin");
        Children.scrub(shell.environment());
        assertThat(shell.environment()).containsOnlyKeys("PATH");
    }

    @Test
    void pausedChildContinuesAfterResume() throws Exception {
        LocalChild child = start("read line; echo $line");
        child.signal(ProcessAction.PAUSE);
        child.input().write("on\n".getBytes(StandardCharsets.UTF_8));
        child.input().flush();
        while (!state(child).equals("T")) {
            LockSupport.parkNanos(1_000_000);
        }
        child.signal(ProcessAction.RESUME);
        assertThat(child.output().read()).isEqualTo('o');
    }

    @Test
    void aPausedChildCanBeKilled() {
        LocalChild child = start("exec sleep 600");
        child.signal(ProcessAction.PAUSE);
        child.close();
        assertThat(child.id().alive()).isFalse();
        assertThat(child.exit().join()).isEqualTo(128 + 9);
        assertThatThrownBy(() -> child.signal(ProcessAction.PAUSE)).hasMessageContaining("child is not running");
    }

    @Test
    void interruptWhileWaitingForAChildKeepsTheInterruptFlag() {
        LocalChild child = start("exec cat");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> child.endsWithin(Duration.ofSeconds(10)))
                .hasMessage("interrupted while waiting for the end of child");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void theLogKeepsTheLastLines() {
        LocalChild child = start("seq 1 100000 >&2; exit 7");
        assertThat(child.exit().join()).isEqualTo(7);
        assertThat(child.lastLines(2)).containsExactly("99999", "100000");
    }

    @Test
    void closingLeavesNoChildAndNoJournal() throws Exception {
        LocalChild child = start("exec sleep 600");
        children.close();
        assertThat(child.id().alive()).isFalse();
        journal.close();
        try (var files = Files.list(folder.resolve("own/journal"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aChildThatEndsAtTheMomentOfClosingLeavesNoJournal() throws Exception {
        for (int round = 0; round < 40; round++) {
            try (Journal own = Journal.open(folder);
                    Children brief = Children.open(own)) {
                LocalChild child = brief.start(
                        new Command("brief", List.of("/bin/true"), folder.resolve("brief.log"), Command.Output.LOGGED));
                child.exit().join();
            }
            assertThat(folder.resolve("journal")).isEmptyDirectory();
        }
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        LocalChild child = start("exec /no/such/program");
        child.exit().join();
        assertThat(child.lastLines(1).get(0)).contains("/no/such/program");
    }

    @Test
    void aSignalIsNamedAndOfTheKernelsOwnWhatItMayMean() {
        assertThat(Child.ending(137)).isEqualTo("was killed (signal 9; out of memory?)");
        assertThat(Child.ending(143)).isEqualTo("was killed (signal 15)");
        assertThat(Child.ending(1)).isEqualTo("ended with exit code 1");
        assertThat(Child.ending(255)).isEqualTo("ended with exit code 255");
    }

    private LocalChild start(String script) {
        return children.start(new Command(
                "child", List.of("/bin/sh", "-c", script), folder.resolve("child.log"), Command.Output.READ));
    }

    private static String state(LocalChild child) throws Exception {
        String stat = Files.readString(Path.of("/proc/" + child.id().pid() + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }

    private static void waitUntilGone(ProcessId id) {
        while (id.alive()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
