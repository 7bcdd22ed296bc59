package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockEstimateTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    /** Far apart, like the steady clocks of machines that started weeks apart. */
    private static final long APART = -2_000_000 * SECOND;

    private final Agent.ClockEstimate estimate = new Agent.ClockEstimate();
    private long now = 7 * SECOND;
    private long apart = APART;
    private double drift;

    private long truth() {
        return apart + Math.round(drift * (now - 7 * SECOND));
    }

    private boolean exchange(long there, long waiting, long back) {
        long asked = now;
        now += there;
        long heard = now + truth();
        now += waiting;
        long answered = now + truth();
        now += back;
        return estimate.add(new Agent.ClockExchange(asked, heard, answered, now));
    }

    private long wrong() {
        return Math.abs(estimate.at(now).nanos() - truth());
    }

    private long error() {
        return estimate.at(now).errorNanos();
    }

    @Test
    void symmetricDelaysGiveTheExactClockOffset() {
        assertThat(estimate.known()).isFalse();
        assertThat(exchange(100 * MICRO, 3 * SECOND, 100 * MICRO)).isTrue();
        assertThat(estimate.known()).isTrue();
        assertThat(wrong()).isZero();
        assertThat(error()).isBetween(100 * MICRO, 100 * MICRO + 3 * SECOND / 10_000 + 100);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 10 * MICRO, 5 * MILLI})
    void unequalDelaysStayWithinTheClockError(long there) {
        exchange(there, 10 * MICRO, 5 * MILLI - there);
        assertThat(wrong()).isEqualTo(Math.abs(5 * MILLI / 2 - there)).isLessThanOrEqualTo(error());
        assertThat(error()).isCloseTo(5 * MILLI / 2, within(MICRO));
    }

    @Test
    void fastestExchangeIsUsedUntilItExpires() {
        exchange(100 * MICRO, 0, 100 * MICRO);
        exchange(900 * MICRO, 0, 300 * MICRO);
        assertThat(error()).isBetween(100 * MICRO, 101 * MICRO);
        // In six seconds the error of the earlier exchange grows by 100 ppm, which is 600 µs.
        now += 6 * SECOND;
        exchange(500 * MICRO, 0, 500 * MICRO);
        assertThat(error()).isBetween(500 * MICRO, 501 * MICRO);
    }

    @ParameterizedTest
    @ValueSource(doubles = {50e-6, -50e-6})
    void aDriftOfTenMinutesStaysWithinTheError(double perSecond) {
        drift = perSecond;
        Random random = new Random(1);
        for (int second = 0; second < 600; second++) {
            assertThat(exchange(random.nextLong(50 * MICRO, MILLI), 20 * MICRO, random.nextLong(50 * MICRO, MILLI)))
                    .isTrue();
            now += SECOND;
            assertThat(wrong()).isLessThanOrEqualTo(error());
            assertThat(error()).isLessThan(MILLI + 200 * MICRO);
        }
        assertThat(Math.abs(truth() - APART)).isGreaterThan(30 * MILLI);
    }

    @ParameterizedTest
    @ValueSource(longs = {50 * MILLI, -50 * MILLI})
    void aJumpIsNoticedAtTheNextExchangeAndThenKnown(long by) {
        for (int i = 0; i < 16; i++) {
            exchange(MILLI, 0, 2 * MILLI);
            now += SECOND;
        }
        apart += by;
        assertThat(exchange(3 * MILLI, 0, MILLI)).isFalse();
        assertThat(wrong()).isLessThanOrEqualTo(error());
        now += SECOND;
        assertThat(exchange(3 * MILLI, 0, MILLI)).isTrue();
    }

    @Test
    void clockJumpDuringAnAnswerIsDetected() {
        exchange(100 * MICRO, 0, 100 * MICRO);
        assertThat(estimate.add(new Agent.ClockExchange(now, now + APART, now + APART + 50 * MILLI, now + MILLI)))
                .isFalse();
        assertThat(estimate.known()).isFalse();
        assertThatThrownBy(() -> estimate.at(now)).hasMessage("the clock of the conductor was not read yet");
    }

    @Test
    void exchangeIsForgottenAfterSixtyFourLaterOnes() {
        exchange(10 * MICRO, 0, 10 * MICRO);
        for (int i = 0; i < 63; i++) {
            exchange(100 * MICRO, 0, 100 * MICRO);
        }
        assertThat(error()).isLessThan(20 * MICRO);
        exchange(100 * MICRO, 0, 100 * MICRO);
        assertThat(error()).isGreaterThan(100 * MICRO);
    }
}
