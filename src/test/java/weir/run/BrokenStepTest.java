package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import weir.measure.Steps;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.results.WindowRow;
import weir.results.WindowRows;

class BrokenStepTest {
    private final AtomicInteger stops = new AtomicInteger();

    private TrialWatch watch(String rate) {
        Variant variant = Plans.only("load: { rate: " + rate + " }\nmeasure: null");
        return TrialWatch.broken(variant, stops::incrementAndGet);
    }

    /** Windows of a second; a delayed sender takes only as many messages as are acked. */
    private static void windows(TrialWatch watch, int step, int times, long acked, long failed) {
        for (int i = 0; i < times; i++) {
            watch.accept(WindowRows.of(0, step, acked, acked, failed, 0, Map.of(), 0, 0));
        }
    }

    @Test
    void threeWindowsBelowWhatIsOfferedBreakAStep() {
        TrialWatch watch = watch("{ steps: [1000/s for 10s, 2000/s for 10s], stop: broken }");
        windows(watch, Steps.WARMUP, 5, 0, 0);
        windows(watch, Steps.MEASURE, 10, 1_000, 0);
        windows(watch, WindowRow.NO_STEP, 5, 0, 0);
        windows(watch, Steps.MEASURE + 1, 2, 1_000, 0);
        windows(watch, Steps.MEASURE + 1, 2, 1_880, 0);
        assertThat(stops).hasValue(0);
        windows(watch, Steps.MEASURE + 1, 1, 1_880, 0);
        assertThat(stops).hasValue(1);
    }

    @Test
    void failuresBreakAStepToo() {
        TrialWatch watch = watch("{ steps: [1000/s for 10s], stop: broken }");
        windows(watch, Steps.MEASURE, 5, 1_000, 11);
        assertThat(stops).hasValue(1);
        windows(watch, Steps.MEASURE, 5, 1_000, 11);
        assertThat(stops).hasValue(1);
    }

    @Test
    void stepIsStoppedOnlyBelowTheBrokenThreshold() {
        TrialWatch watch = watch("{ steps: [1000/s for 60s], stop: broken }");
        windows(watch, Steps.MEASURE, 20, 1_000, 0);
        windows(watch, Steps.MEASURE, 3, 700, 0);
        assertThat(stops).as("96 % so far").hasValue(0);
        windows(watch, Steps.MEASURE, 2, 700, 0);
        assertThat(stops).as("94 % so far").hasValue(1);
        stops.set(0);
        windows(watch("{ steps: [1000/s for 60s], stop: broken }"), Steps.MEASURE, 20, 1_000, 2);
        assertThat(stops).as("0.2 % failed").hasValue(0);
    }

    @Test
    void stepsWithoutStopBrokenContinue() {
        windows(watch("{ steps: [1000/s for 10s] }"), Steps.MEASURE, 10, 10, 5);
        assertThat(stops).hasValue(0);
    }
}
