package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.feature.NeedsFeature;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkJson;

/** The frames of a link, and a worker with the test's link and clock. */
@Timeout(30)
class LinkFrameTest {
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

    private static LinkFrame read(byte[] bytes) throws IOException {
        return LinkFrame.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void writtenMessageIsReadUnchanged() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (LinkFrame.Kind kind : LinkFrame.Kind.values()) {
            LinkFrame.of(kind, "grüße " + kind).write(new DataOutputStream(out));
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(out.toByteArray()));
        for (LinkFrame.Kind kind : LinkFrame.Kind.values()) {
            LinkFrame frame = LinkFrame.read(in);
            assertThat(frame.kind()).isEqualTo(kind);
            assertThat(frame.text()).isEqualTo("grüße " + kind);
        }
    }

    @Test
    void foreignBytesAreRefusedBeforeAnythingIsAllocated() {
        assertThatThrownBy(() -> read(new byte[] {127, -1, -1, -1, 'W'})).hasMessageContaining("2147483647 bytes");
        assertThatThrownBy(() -> read(new byte[] {-1, -1, -1, -1, 'W'})).hasMessageContaining("-1 bytes");
        assertThatThrownBy(() -> read("OpenJDK warning".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another program writes to this stream");
    }

    @Test
    void aFrameThatIsCutOffIsTheEnd() {
        assertThatThrownBy(() -> read(new byte[] {0, 1, 0, 0, 'W', 1, 2, 3})).isInstanceOf(EOFException.class);
    }

    @Test
    void assignmentsPassThroughJsonAndShowNoSecret() {
        Assignment assignment = WorkerParts.assignment();
        assertThat(LinkJson.read(LinkJson.write(assignment), Assignment.class)).isEqualTo(assignment);
        assertThat(assignment.toString()).doesNotContain("hunter2");
        assertThatThrownBy(() -> LinkJson.read("hunter2", Assignment.class)).hasMessageNotContaining("hunter2");
    }

    @Test
    @NeedsFeature
    void everyFormOfAVariantPassesThroughJson() throws IOException {
        Plans.files("src/test/resources/weir/plan/fixtures", ".yaml").stream()
                .flatMap(file -> PlanReader.read(file, Overrides.NONE).variants().stream())
                .forEach(variant -> assertThat(LinkJson.read(LinkJson.write(variant), Variant.class))
                        .isEqualTo(variant));
    }

    @Test
    void damagedVariantJsonFailsWithoutQuotingIt() {
        String json = LinkJson.write(Plans.only("load: { rate: { steps: [1/s for 1s] } }\nmeasure: null"));
        Random random = new Random(5);
        for (int i = 0; i < 300; i++) {
            int from = random.nextInt(json.length());
            String damaged =
                    json.substring(0, from) + json.substring(Math.min(json.length(), from + random.nextInt(20)));
            Throwable thrown = catchThrowable(() -> LinkJson.read(damaged, Variant.class));
            if (thrown != null) {
                assertThat(thrown)
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage("the frame is not a Variant");
            }
        }
    }

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
    void workerWithoutFurtherReadingsTimesOut() throws Exception {
        CompletableFuture<LinkMessages.Prepared> prepared = worker.prepare(WorkerParts.assignment());
        reads();
        CompletableFuture<PhaseTimes> running = worker.run(LoadPhase.MEASURE, 0);
        seconds(29);
        assertThat(running).isNotDone();
        seconds(1);
        assertThat(running)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("no message arrived for 30 s: it stands still");
        assertThat(prepared).isNotDone();
        assertThatThrownBy(() -> Fleet.of(List.of(worker)).footprint())
                .isInstanceOf(WorkerFailed.class)
                .hasMessageContaining("it stands still");
        worker.end();
    }

    @Test
    void workerWithoutLoadMayBeSilent() throws Exception {
        reads();
        CompletableFuture<PhaseTimes> running = worker.run(LoadPhase.MEASURE, 0);
        seconds(300);
        assertThat(running).isNotDone();
        worker.end();
    }
}
