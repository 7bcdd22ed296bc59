package weir.worker.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final long SECOND = 1_000_000_000L;

    private long now = 17;
    private final Lease lease = new Lease(() -> now, Duration.ofSeconds(5));

    @Test
    void anEndThatIsSilentForTheWholeLimitIsOver() {
        for (int second = 1; second < 5; second++) {
            now += SECOND;
            assertThat(lease.tick()).isTrue();
        }
        now += SECOND;
        assertThat(lease.tick()).isFalse();
    }

    @Test
    void anEndThatIsHeardNowAndThenIsNever() {
        for (int second = 0; second < 60; second++) {
            now += SECOND;
            assertThat(lease.tick()).isTrue();
            if (second % 4 == 0) {
                lease.heard();
            }
        }
    }

    @Test
    void oneThatHasNotBegunLastsForEver() {
        Lease waiting = Lease.waiting(() -> now, Duration.ofSeconds(5));
        for (int second = 0; second < 60; second++) {
            now += SECOND;
            assertThat(waiting.tick()).isTrue();
        }
        waiting.begin();
        for (int second = 1; second < 5; second++) {
            now += SECOND;
            assertThat(waiting.tick()).isTrue();
        }
        now += SECOND;
        assertThat(waiting.tick()).isFalse();
    }

    /** Nobody could have been heard by a process that stood still itself. */
    @Test
    void aPauseOfOurOwnIsNoSilence() {
        now += 3600 * SECOND;
        assertThat(lease.tick()).isTrue();
        lease.heard();
        now += 4 * SECOND;
        assertThat(lease.tick()).isTrue();
    }
}
