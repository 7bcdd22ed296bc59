package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import weir.results.WindowRow;

class HopelessWatchTest {
    private static final int WARM_UP = 1;
    private static final int MEASURE = 2;

    private final AtomicInteger stops = new AtomicInteger();
    private final HopelessWatch watch = new HopelessWatch(1_000, stops::incrementAndGet);

    // A sender that is held up takes less than is due.
    private void window(int step, long acked, long failed, long received) {
        watch.accept(new WindowRow(0, 1, step, acked, acked, acked, failed, received, 0, 0, Map.of(), 0, 0));
    }

    @Test
    void whatIsLostInTheWarmUpIsEndedAfterAMeasuredSecond() {
        window(WARM_UP, 300, 0, 0);
        window(WARM_UP, 500, 0, 0);
        window(WARM_UP, 500, 0, 0);
        assertThat(watch.seen()).isFalse();
        window(MEASURE, 500, 0, 0);
        window(MEASURE, 500, 0, 0);
        assertThat(watch.seen()).isTrue();
        assertThat(stops).hasValue(1);
    }

    @Test
    void readersThatFallBehindAndFailuresCountToo() {
        window(MEASURE, 1_000, 0, 1_000);
        window(MEASURE, 1_000, 0, 600);
        window(MEASURE, 1_000, 3, 1_000);
        assertThat(stops).hasValue(1);
    }

    @Test
    void oneBadSecondAndAColdStartAreForgiven() {
        window(WARM_UP, 10, 0, 0);
        window(WARM_UP, 990, 0, 0);
        window(MEASURE, 200, 0, 0);
        window(MEASURE, 1_700, 0, 0);
        window(MEASURE, 200, 0, 0);
        assertThat(stops).hasValue(0);
    }
}
