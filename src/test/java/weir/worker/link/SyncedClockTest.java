package weir.worker.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncedClockTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private long own = 5 * SECOND;
    /** Runs once, after the clock has read the test's own clock. */
    private Runnable meanwhile = () -> {};

    private final SyncedClock clock = new SyncedClock(this::own);

    private long own() {
        long read = own;
        Runnable once = meanwhile;
        meanwhile = () -> {};
        once.run();
        return read;
    }

    private void set(long offset, long error) {
        clock.set(new ClockOffset(offset, error));
    }

    @Test
    void clockWithoutOffsetIsTheLocalClock() {
        clock.steady();
        own += SECOND;
        assertThat(clock.getAsLong()).isEqualTo(own);
        assertThat(clock.errorNanos()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {3 * SECOND, -3 * SECOND})
    void anOffsetHoldsAtOnceBeforeTheClockIsSteady(long offset) {
        set(7 * MILLI, MILLI);
        set(offset, MILLI);
        assertThat(clock.getAsLong()).isEqualTo(own + offset);
        assertThat(clock.errorNanos()).isEqualTo(MILLI);
        assertThat(clock.takeJumpNanos()).isZero();
    }

    @Test
    void firstClockOffsetAppliesAtOnce() {
        clock.steady();
        set(-3_000 * SECOND, MILLI);
        assertThat(clock.getAsLong()).isEqualTo(own - 3_000 * SECOND);
        assertThat(clock.errorNanos()).isEqualTo(MILLI);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void aSteadyClockIsSlewedByFiveHundredPartsPerMillion(long sign) {
        set(SECOND, 0);
        clock.steady();
        set(SECOND + sign * MILLI, 1_000);
        assertThat(clock.getAsLong()).isEqualTo(own + SECOND);
        assertThat(clock.errorNanos()).isEqualTo(MILLI + 1_000);
        own += SECOND;
        assertThat(clock.getAsLong()).isEqualTo(own + SECOND + sign * MILLI / 2);
        assertThat(clock.errorNanos()).isEqualTo(MILLI / 2 + 1_000);
        own += SECOND;
        assertThat(clock.getAsLong()).isEqualTo(own + SECOND + sign * MILLI);
        own += SECOND;
        assertThat(clock.getAsLong()).isEqualTo(own + SECOND + sign * MILLI);
        assertThat(clock.errorNanos()).isEqualTo(1_000);
    }

    @Test
    void noSlewIsFasterThanThatAndTimeNeverGoesBack() {
        Random random = new Random(2);
        set(0, 0);
        clock.steady();
        long before = clock.getAsLong();
        for (int i = 0; i < 20_000; i++) {
            long passed = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextLong(20 * MILLI);
            own += passed;
            if (random.nextInt(5) == 0) {
                set(random.nextLong(-50 * MILLI, 50 * MILLI), 1);
            }
            long now = clock.getAsLong();
            assertThat(now).isGreaterThanOrEqualTo(before);
            assertThat(Math.abs(now - before - passed)).isLessThanOrEqualTo(passed / 2_000 + 1);
            before = now;
        }
    }

    @Test
    void clockReadIsRepeatedIfTheOffsetChangesMeanwhile() {
        set(0, 0);
        clock.steady();
        set(MILLI, 0);
        own += SECOND;
        long before = clock.getAsLong();
        meanwhile = () -> {
            own += SECOND;
            set(-MILLI, 0);
        };
        // At the time of the first read, the new conversion has not begun yet, and would be extended backwards.
        assertThat(clock.getAsLong()).isEqualTo(own + MILLI).isGreaterThan(before);
    }

    @Test
    void clockJumpExceedsTheKnownErrors() {
        set(0, MILLI);
        clock.steady();
        own += SECOND;
        set(2 * MILLI, MILLI);
        assertThat(clock.takeJumpNanos()).isZero();
        own += SECOND;
        set(-50 * MILLI, MILLI);
        set(-51 * MILLI, MILLI);
        assertThat(clock.takeJumpNanos()).isEqualTo(52 * MILLI);
        assertThat(clock.takeJumpNanos()).isZero();
    }
}
