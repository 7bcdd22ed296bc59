package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackpressureTest {
    private final Backpressure backpressure = new Backpressure();

    @Test
    void delayWithoutCallsIsNoBackpressure() {
        assertThat(backpressure.begin(1_000, 5_000)).isZero();
    }

    @Test
    void callExplainsTheDelayOfMessagesDueDuringIt() {
        backpressure.call(1_000, 5_001_000, 0);
        assertThat(backpressure.begin(2_001_000, 5_001_000)).isEqualTo(3_000_000);
    }

    @Test
    void generatorPartOfACallIsNoBackpressure() {
        backpressure.call(0, 5_000_000, 4_000_000);
        assertThat(backpressure.begin(0, 5_000_000)).isEqualTo(1_000_000);
    }

    @Test
    void callDoesNotExplainDelayOfLaterMessages() {
        backpressure.call(0, 5_000_000, 0);
        assertThat(backpressure.begin(5_000_000, 5_000_000)).isZero();
        backpressure.call(5_000_000, 5_000_100, 0);
        assertThat(backpressure.begin(5_000_200, 5_000_300)).isZero();
    }

    @Test
    void callExplainsItsQueueUntilItIsDrained() {
        // Due every millisecond. The first call takes 10 ms, each later one 0.1 ms, and the sender 0.4 ms between.
        backpressure.call(0, 10_000_000, 0);
        long now = 10_000_000;
        for (long due = 1_000_000; due <= 40_000_000; due += 1_000_000) {
            now = Math.max(due, now + 400_000);
            long explained = backpressure.begin(due, now);
            // Without calls, the sender would have 0.4 ms of work for each message, just when the message is due.
            assertThat(now - due - explained).as("late, due at %d", due).isBetween(0L, 400_000L);
            backpressure.call(now, now + 100_000, 0);
            now += 100_000;
        }
        assertThat(backpressure.of(40_000_000)).isLessThan(1_000_000);
    }

    @Test
    void overloadedSenderIsLateDespiteBackpressure() {
        // Due every millisecond; 1.5 ms of the sender's own work for each message, and every call takes 0.5 ms.
        long now = 0;
        for (int i = 0; i < 1_000; i++) {
            now += 1_500_000;
            long explained = backpressure.begin(i * 1_000_000L, now);
            assertThat(now - i * 1_000_000L - explained).isEqualTo(1_500_000 + i * 500_000L);
            backpressure.call(now, now + 500_000, 0);
            now += 500_000;
        }
    }

    @Test
    void generatorPauseBetweenCallsIsNoBackpressure() {
        backpressure.call(0, 1_000, 0);
        long now = 10_000_000;
        for (long due = 1_000_000; due < 10_000_000; due += 1_000_000) {
            assertThat(backpressure.begin(due, now)).isZero();
            backpressure.call(now, now, 0);
        }
    }

    @Test
    void delayIsSplitIntoSystemAndGeneratorTime() {
        backpressure.begin(0, 0);
        backpressure.call(0, 10_000, 0);
        backpressure.begin(1_000, 13_000);
        backpressure.call(13_000, 14_000, 0);
        backpressure.begin(20_000, 20_500);
        assertThat(backpressure.behindNanos()).isEqualTo(12_000);
        assertThat(backpressure.ownNanos()).isEqualTo(3_000);
    }
}
