package weir.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacerTest {
    private final AtomicLong time = new AtomicLong();

    @Test
    void whatIsDueAlreadyIsNotWaitedFor() {
        Pacer pacer = new Pacer(() -> time.addAndGet(1000));
        assertThat(pacer.await(500)).isEqualTo(1000);
    }

    @Test
    void itReturnsNoEarlierThanDue() {
        Pacer pacer = new Pacer(() -> time.addAndGet(300));
        assertThat(pacer.await(1000)).isEqualTo(1200);
    }

    @Test
    void theRealClockIsNeverBeforeTheDueTime() {
        Pacer pacer = new Pacer(System::nanoTime);
        for (int i = 0; i < 100; i++) {
            long due = System.nanoTime() + 20_000;
            assertThat(pacer.await(due)).isGreaterThanOrEqualTo(due);
        }
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        Pacer pacer = new Pacer(() -> 5);
        Thread.currentThread().interrupt();
        assertThat(pacer.await(Long.MAX_VALUE)).isEqualTo(5);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void onLinuxItsThreadIsNotWokenLateToSaveWakeUps() throws IOException {
        Path self = Path.of("/proc/thread-self");
        assumeTrue(Files.exists(self, LinkOption.NOFOLLOW_LINKS), "only Linux has a timer slack");
        Path slack = Path.of("/proc")
                .resolve(Files.readSymbolicLink(self).getFileName())
                .resolve("timerslack_ns");
        assumeTrue(Files.isWritable(slack), "not allowed here");
        new Pacer(() -> time.addAndGet(1000)).await(500);
        assertThat(Files.readString(slack).strip()).isEqualTo("1");
    }
}
