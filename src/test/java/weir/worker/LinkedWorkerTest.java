package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Snapshot;

/** A worker whose link and whose clock the test holds. */
@Timeout(30)
class LinkedWorkerTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();
    private final SpokenLink link = new SpokenLink();
    private final CountDownLatch read = new CountDownLatch(1);
    private final LinkedWorker worker = new LinkedWorker(
            link,
            7,
            new LoadListener() {
                @Override
                public void window(Snapshot snapshot) {}

                @Override
                public void reading(Reading reading) {
                    read.countDown();
                }
            },
            () -> "it stands still",
            nanos::get);

    private void seconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            nanos.addAndGet(SECOND);
            worker.check();
        }
    }

    private void reads() throws InterruptedException {
        link.say(ReadingFrames.of(List.of(new Reading(0, "generator", "cpu.cores", 1))));
        read.await();
    }

    @Test
    void oneThatSaysNothingAfterItsFirstReadingsIsGivenUp() throws Exception {
        CompletableFuture<LinkMessages.Prepared> prepared = worker.prepare(WorkerParts.assignment());
        reads();
        CompletableFuture<PhaseTimes> running = worker.run(LoadPhase.MEASURE, 0);
        seconds(29);
        assertThat(running).isNotDone();
        seconds(1);
        assertThat(running)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("nothing was heard for 30 s: it stands still");
        assertThat(prepared).isNotDone();
        assertThatThrownBy(() -> Fleet.of(List.of(worker)).footprint())
                .isInstanceOf(WorkerFailed.class)
                .hasMessageContaining("it stands still");
        worker.end();
    }

    @Test
    void oneThatHasNoLoadMayBeSilent() throws Exception {
        reads();
        CompletableFuture<PhaseTimes> running = worker.run(LoadPhase.MEASURE, 0);
        seconds(300);
        assertThat(running).isNotDone();
        worker.end();
    }
}
