package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.measure.LatencyKind;
import weir.plan.Plans;
import weir.plan.Sentence;
import weir.results.WindowRow;
import weir.results.WindowRows;

class HopelessTrialTest {
    private static final int WARM_UP = 1;
    private static final int MEASURE = 2;

    private final AtomicInteger stops = new AtomicInteger();
    private final TrialWatch watch = watch();

    private TrialWatch watch(String... limits) {
        return TrialWatch.hopeless(
                Plans.only("load: { rate: 1000/s }\nmeasure: 30s"),
                Stream.of(limits).map(Sentence::of).toList(),
                stops::incrementAndGet);
    }

    // A delayed sender takes fewer messages than are due.
    private void window(int step, long acked, long failed, long received) {
        watch.accept(WindowRows.of(0, step, acked, acked, failed, received, Map.of(), 0, 0));
    }

    @Test
    void hopelessWarmUpEndsTheTrialAfterMeasuringBegins() {
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
    void laggingReadersAndFailuresMakeATrialHopeless() {
        window(MEASURE, 1_000, 0, 1_000);
        window(MEASURE, 1_000, 0, 600);
        window(MEASURE, 1_000, 3, 1_000);
        assertThat(stops).hasValue(1);
    }

    @Test
    void singleBadSecondAndColdStartDoNotEndATrial() {
        window(WARM_UP, 10, 0, 0);
        window(WARM_UP, 990, 0, 0);
        window(MEASURE, 200, 0, 0);
        window(MEASURE, 1_700, 0, 0);
        window(MEASURE, 200, 0, 0);
        assertThat(stops).hasValue(0);
    }

    private static void window(TrialWatch watch, int second, int step, double p50, double p99) {
        WindowRow.Spread response = new WindowRow.Spread(p50, p99, p99, p99);
        watch.accept(WindowRows.of(second, step, 1_000, 1_000, 0, 0, Map.of(LatencyKind.RESPONSE, response), 0, 0));
    }

    @Test
    void aTrialEndsWhenMoreMessagesWereSlowThanItsLimitAllows() {
        TrialWatch limited = watch("response p99 < 50ms", "response mean < 1ms");
        // 300 of the 30,000 may take longer than 50 ms. If p99 of a second does, at least ten of its messages did.
        window(limited, 0, WARM_UP, 90, 900);
        window(limited, 1, MEASURE, 3, 60);
        window(limited, 2, MEASURE, 3, 60);
        assertThat(stops).hasValue(0);
        window(limited, 3, MEASURE, 60, 90);
        assertThat(stops).hasValue(1);
        assertThat(limited.seen()).isTrue();
    }

    @Test
    void answersToMessagesOfTheWarmUpDoNotEndATrial() {
        TrialWatch limited = watch("response p99 < 50ms");
        window(limited, 0, MEASURE, 400, 500);
        window(limited, 1, MEASURE, 900, 1_100);
        assertThat(stops).hasValue(0);
    }
}
