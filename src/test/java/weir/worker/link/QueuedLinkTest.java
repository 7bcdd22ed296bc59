package weir.worker.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.worker.link.LinkFrame.Kind;

@Timeout(20)
class QueuedLinkTest {
    private static final long SECOND = 1_000_000_000L;

    private final Dammed out = new Dammed();
    private final CompletableFuture<IOException> broken = new CompletableFuture<>();
    private long now = 17;
    private final Lease lease = new Lease(() -> now, Duration.ofSeconds(5));

    /** A stream whose other end reads nothing until the test opens it. */
    private static final class Dammed extends OutputStream {
        final ByteArrayOutputStream written = new ByteArrayOutputStream();
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch open = new CountDownLatch(1);
        int flushes;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            reached.countDown();
            try {
                assertThat(open.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            written.write(bytes, from, length);
        }

        @Override
        public void flush() {
            flushes++;
        }

        List<String> texts() throws IOException {
            List<String> texts = new ArrayList<>();
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(written.toByteArray()));
            while (in.available() > 0) {
                texts.add(LinkFrame.read(in).text());
            }
            return texts;
        }
    }

    private QueuedLink link(long room) {
        return new QueuedLink(InputStream.nullInputStream(), out, () -> {}, room, 100, broken::complete);
    }

    private static LinkFrame event(String text) {
        return LinkFrame.of(Kind.EVENT, text);
    }

    @Test
    void sendDoesNotBlockAndQueuedFramesLeaveInOrder() throws Exception {
        QueuedLink link = link(10_000);
        link.send(event("0"));
        assertThat(out.reached.await(10, TimeUnit.SECONDS)).isTrue();
        List<String> sent = new ArrayList<>(List.of("0"));
        for (int i = 1; i < 100; i++) {
            link.send(event(String.valueOf(i)));
            sent.add(String.valueOf(i));
        }
        link.sendFirst(event("first"));
        sent.add(1, "first");
        out.open.countDown();
        link.close();
        assertThat(out.texts()).isEqualTo(sent);
        assertThat(out.flushes).isEqualTo(2);
        assertThat(broken).isNotDone();
    }

    @Test
    void theFrameThatFindsNoRoomBreaksTheLinkWithItsReason() throws Exception {
        QueuedLink link = link(100);
        link.send(event("x".repeat(50)));
        assertThatThrownBy(() -> link.send(event("y".repeat(50))))
                .isInstanceOf(QueuedLink.Full.class)
                .hasMessageContaining("55 bytes are unsent, and a frame of 55 more (EVENT) exceeds the limit of 100");
        assertThat(broken.get(10, TimeUnit.SECONDS)).isInstanceOf(QueuedLink.Full.class);
        assertThatThrownBy(() -> link.send(event(""))).hasMessageContaining("reads too slowly");
        out.open.countDown();
        link.cut();
    }

    @Test
    void blockingSendWaitsUntilThePeerReads() throws Exception {
        QueuedLink link = link(QueuedLink.ROOM);
        String text = "x".repeat(300 << 10);
        link.sendBlocking(event(text));
        CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> {
            try {
                link.sendBlocking(event("second"));
                return true;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(out.reached.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(second).isNotDone();
        out.open.countDown();
        assertThat(second.get(10, TimeUnit.SECONDS)).isTrue();
        link.close();
        assertThat(out.texts()).containsExactly(text, "second");
    }

    @Test
    void brokenLinkIsReportedOnce() throws Exception {
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        QueuedLink link = new QueuedLink(InputStream.nullInputStream(), gone, () -> {}, 100, 100, broken::complete);
        link.send(event("x"));
        assertThat(broken.get(10, TimeUnit.SECONDS)).hasMessage("Broken pipe");
        assertThatThrownBy(() -> link.send(event("y"))).hasMessage("Broken pipe");
    }

    private void expiresAfterFiveSeconds(Lease expiring) {
        for (int second = 1; second < 5; second++) {
            now += SECOND;
            assertThat(expiring.tick()).isTrue();
        }
        now += SECOND;
        assertThat(expiring.tick()).isFalse();
    }

    @Test
    void leaseExpiresAfterItsSilenceLimit() {
        expiresAfterFiveSeconds(lease);
    }

    @Test
    void leaseWithOccasionalRenewalNeverExpires() {
        for (int second = 0; second < 60; second++) {
            now += SECOND;
            assertThat(lease.tick()).isTrue();
            if (second % 4 == 0) {
                lease.renew();
            }
        }
    }

    @Test
    void waitingLeaseDoesNotExpire() {
        Lease waiting = Lease.waiting(() -> now, Duration.ofSeconds(5));
        for (int second = 0; second < 60; second++) {
            now += SECOND;
            assertThat(waiting.tick()).isTrue();
        }
        waiting.begin();
        expiresAfterFiveSeconds(waiting);
    }

    /** A process that was paused itself cannot have received frames. */
    @Test
    void ownPauseDoesNotExpireTheLease() {
        now += 3600 * SECOND;
        assertThat(lease.tick()).isTrue();
        lease.renew();
        now += 4 * SECOND;
        assertThat(lease.tick()).isTrue();
    }
}
