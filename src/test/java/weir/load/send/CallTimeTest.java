package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CallTimeTest {
    private final CallTime calls = new CallTime();

    @Test
    void aDelayWithoutEarlierCallsIsExplainedByNone() {
        assertThat(calls.since(1_000)).isZero();
    }

    @Test
    void aBlockedCallExplainsTheDelayOfWhatWasDueMeanwhile() {
        calls.call(1_000, 5_001_000, 0);
        assertThat(calls.since(2_001_000)).isEqualTo(3_000_000);
    }

    @Test
    void ourOwnTimeBetweenCallsExplainsNothing() {
        calls.call(0, 5_000_000, 0);
        calls.call(6_000_000, 8_000_000, 0);
        assertThat(calls.since(4_000_000)).isEqualTo(1_000_000 + 2_000_000);
    }

    @Test
    void callsThatEndedBeforeTheDueTimeExplainNothing() {
        calls.call(0, 5_000_000, 0);
        assertThat(calls.since(5_000_000)).isZero();
        calls.call(5_000_000, 5_000_100, 0);
        assertThat(calls.since(5_000_200)).isZero();
    }

    @Test
    void manyShortCallsCountWithTheirShareOfTheTime() {
        // 600 ns of each microsecond are spent in calls, for ten milliseconds.
        for (int i = 0; i < 10_000; i++) {
            calls.call(i * 1_000L, i * 1_000L + 600, 0);
        }
        assertThat(calls.since(500_000)).isBetween(5_690_000L, 5_710_000L);
        assertThat(calls.since(9_990_000)).isBetween(5_000L, 7_000L);
    }

    @Test
    void aLongQueueOfDueTimesIsExplainedExactly() {
        // Behind by 100 ms, and every call takes 2 ms: more stretches than the ring first holds.
        for (int i = 0; i < 500; i++) {
            calls.call(i * 3_000_000L, i * 3_000_000L + 2_000_000, 0);
        }
        for (int i = 0; i < 500; i++) {
            assertThat(calls.since(i * 3_000_000L)).isEqualTo((500 - i) * 2_000_000L);
        }
    }
}
