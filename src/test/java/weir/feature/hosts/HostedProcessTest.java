package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Children;
import weir.host.Command;
import weir.host.Journal;
import weir.host.LocalChild;
import weir.time.TimeLimit;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.QueuedLink;

/** A process of an agent on the test's clock. */
@Timeout(30)
class HostedProcessTest {
    @TempDir
    private Path folder;

    private final AtomicLong now = new AtomicLong(17);
    private final PipedOutputStream said = new PipedOutputStream();
    private final PipedInputStream told = new PipedInputStream(1 << 20);
    private QueuedLink conductor;
    private Journal journal;
    private Children children;

    @BeforeEach
    void open() throws IOException {
        told.connect(said);
        conductor = new QueuedLink(InputStream.nullInputStream(), said, said, QueuedLink.ROOM, 0, broken -> {});
        journal = Journal.open(folder.resolve("state"));
        children = Children.open(journal);
    }

    @AfterEach
    void close() {
        conductor.close();
        children.close();
        journal.close();
    }

    private HostedProcess sleeping(Duration limit) {
        Path log = folder.resolve("sleep.log");
        LocalChild child = children.start(new Command("sleep", List.of("sleep", "60"), log, Command.Output.LOGGED));
        HostedProcess process = new HostedProcess(
                3,
                child,
                OutputStream.nullOutputStream(),
                child::endTree,
                log,
                conductor,
                new TimeLimit(now::get, limit));
        process.begin(() -> {});
        return process;
    }

    private void pass(Duration time, HostedProcess process) {
        now.addAndGet(time.toNanos());
        process.check();
    }

    @Test
    void overdueProcessIsKilledAndReportedToTheConductor() throws Exception {
        HostedProcess process = sleeping(Duration.ofSeconds(90));
        pass(Duration.ofSeconds(89), process);
        assertThat(process.child().alive()).isTrue();
        pass(Duration.ofSeconds(1), process);
        pass(Duration.ofSeconds(1), process);
        LinkFrame said = LinkFrame.read(new DataInputStream(told));
        assertThat(said.kind()).isEqualTo(Kind.ENDED);
        DataInputStream ended = said.content();
        assertThat(ended.readInt()).isEqualTo(3);
        assertThat(ended.readInt()).isEqualTo(137);
        assertThat(ended.readUTF())
                .isEqualTo("was killed: it exceeded its limit of 90 s, the longest possible duration of its trial");
        assertThat(process.child().alive()).isFalse();
    }

    @Test
    void aProcessWithoutALimitIsNeverKilled() {
        HostedProcess process = sleeping(TimeLimit.NEVER);
        pass(Duration.ofDays(365), process);
        assertThat(process.child().alive()).isTrue();
        process.kill();
    }
}
