package weir.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimeLimitTest {
    private long now = Long.MAX_VALUE - 5;

    @Test
    void timeIsUpAfterTheLimitAndNotBefore() {
        TimeLimit deadline = new TimeLimit(() -> now, Duration.ofNanos(10));
        now += 9;
        assertThat(deadline.passed()).isFalse();
        assertThat(deadline.left()).isEqualTo(Duration.ofNanos(1));
        now += 1;
        assertThat(deadline.passed()).isTrue();
        now += 1;
        assertThat(deadline.left()).isZero();
    }

    @Test
    void timeWithoutALimitIsNeverUp() {
        TimeLimit deadline = new TimeLimit(() -> now, TimeLimit.NEVER);
        now += Long.MAX_VALUE;
        assertThat(deadline.passed()).isFalse();
    }
}
