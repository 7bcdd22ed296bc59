package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The worked example of docs/explanation/latency.md: 1000/s for ten seconds, calls of 1 ms, one call of a second. */
class CoordinatedOmissionTest {
    private static final long MILLI = 1_000_000;
    private static final long LENGTH = 10_000 * MILLI;
    private static final long STALLED_FROM = 5000 * MILLI;
    private static final long STALLED_TO = 6000 * MILLI;

    private final Series series = new Series();
    private final Recorder recorder = new Recorder(0, 1000 * MILLI, Integer.MAX_VALUE, series::add);

    private static long answered(long sent) {
        return sent >= STALLED_FROM && sent < STALLED_TO ? STALLED_TO : sent + MILLI;
    }

    private Numbers done() {
        recorder.close();
        return series.total(2);
    }

    /** A tool that sends after the previous answer asks the stalled server once, and then not at all. */
    private Numbers closed() {
        long now = 0;
        while (now < LENGTH) {
            long answer = answered(now);
            recorder.sent(2, 1, 1, now, now, answer, 0, 100);
            recorder.acked(2, 1, 1, now, now, answer, 100);
            now = answer;
        }
        return done();
    }

    /** One sender whose call blocks during the stall. Messages that are due meanwhile wait and do not vanish. */
    private Numbers open() {
        long free = 0;
        for (long due = 0; due < LENGTH; due += MILLI) {
            long sent = Math.max(due, free);
            // After the stall the calls return at once, so the sender catches up within the second.
            free = sent < STALLED_TO ? answered(sent) : sent + MILLI / 100;
            recorder.due(2, due, 1);
            recorder.sent(2, 1, 1, due, sent, free, sent - due, 100);
            recorder.acked(2, 1, 1, due, sent, free, 100);
        }
        return done();
    }

    @Test
    void aClosedLoopDoesNotSeeTheStall() {
        Numbers numbers = closed();
        assertThat(numbers.acked()).isEqualTo(9001);
        assertThat(numbers.latency(LatencyKind.SERVICE).millis(99.9)).isCloseTo(1, within(0.01));
        assertThat(numbers.latency(LatencyKind.SERVICE).maxMillis()).isCloseTo(1000, within(1.0));
    }

    @Test
    void responseSeesItAndServiceDoesNot() {
        Numbers numbers = open();
        assertThat(numbers.acked()).isEqualTo(10_000);
        assertThat(numbers.latency(LatencyKind.SERVICE).millis(99)).isCloseTo(1, within(0.01));
        assertThat(numbers.latency(LatencyKind.RESPONSE).millis(50)).isCloseTo(1, within(0.01));
        assertThat(numbers.latency(LatencyKind.RESPONSE).millis(95)).isCloseTo(500, within(10.0));
        assertThat(numbers.latency(LatencyKind.RESPONSE).millis(99)).isCloseTo(900, within(10.0));
        assertThat(numbers.latency(LatencyKind.RESPONSE).maxMillis()).isCloseTo(1000, within(1.0));
    }

    @Test
    void waitIsBackpressureAndNotLate() {
        Numbers numbers = open();
        assertThat(numbers.latency(LatencyKind.BACKPRESSURE).millis(99)).isCloseTo(900, within(10.0));
        assertThat(numbers.latency(LatencyKind.LATE).maxMillis()).isLessThan(0.001);
    }
}
