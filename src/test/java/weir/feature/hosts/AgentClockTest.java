package weir.feature.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.worker.link.ClockOffset;

/** The exchanges of an agent at its start, in virtual time, with a known offset and the test's delays. */
class AgentClockTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000 * MICRO;
    private static final long APART = -2_000_000_000L * MILLI;
    private static final long ALLOWED = WorkerHosts.CLOCK_NANOS;

    private final Agent.ClockEstimate estimate = new Agent.ClockEstimate();
    private long now;
    private int sent;

    /** The conductor's clock minus the agent's clock. The clocks drift apart by 50 ppm. */
    private long truth() {
        return APART + now / 20_000;
    }

    private ClockOffset offset() {
        return estimate.known() ? estimate.at(now) : new ClockOffset(0, RemoteHost.UNKNOWN);
    }

    private void burst(LongSupplier roundTrip) {
        Random unlike = new Random(1);
        for (; Agent.inBurst(sent, offset()); sent++) {
            long asked = now;
            long both = roundTrip.getAsLong();
            long there = unlike.nextLong(both);
            now += there;
            long heard = now + truth();
            now += both - there;
            assertThat(estimate.add(new Agent.ClockExchange(asked, heard, heard, now)))
                    .isTrue();
            now = Math.max(now, asked + 20 * MILLI);
        }
        assertThat(Math.abs(offset().nanos() - truth())).isLessThanOrEqualTo(offset().errorNanos());
    }

    @Test
    void sixteenExchangesSufficeForAFastLink() {
        burst(() -> 200 * MICRO);
        assertThat(sent).isEqualTo(16);
        assertThat(offset().errorNanos()).isLessThan(ALLOWED / 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void fewFastAnswersSufficeForTheClockOfABusyMachine(long seed) {
        Random random = new Random(seed);
        // One exchange in fifty takes 0.8 ms, all others 3 to 30 ms.
        burst(() -> random.nextInt(50) == 0 ? 800 * MICRO : random.nextLong(3 * MILLI, 30 * MILLI));
        assertThat(sent).isBetween(16, 399);
        assertThat(offset().errorNanos()).isLessThan(ALLOWED);
    }

    @Test
    void clockOfADistantHostStaysUnknown() {
        burst(() -> 2_200 * MICRO);
        assertThat(sent).isEqualTo(400);
        assertThat(offset().errorNanos()).isGreaterThan(ALLOWED);
    }
}
