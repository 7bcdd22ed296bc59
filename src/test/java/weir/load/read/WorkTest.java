package weir.load.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import weir.plan.WorkSpec;

class WorkTest {
    private static final Duration MEAN = Duration.ofMillis(5);

    @Test
    void logNormalWaitsHaveTheAskedMeanAndP99() {
        Work work = new Work(new WorkSpec(MEAN, Duration.ofMillis(40), Duration.ZERO), 1, System::nanoTime);
        long[] waits =
                LongStream.generate(work::nextNanos).limit(400_000).sorted().toArray();
        assertThat(LongStream.of(waits).average().orElse(0) / 1e6).isCloseTo(5, within(0.1));
        assertThat(waits[(int) (0.99 * waits.length)] / 1e6).isCloseTo(40, within(1.5));
    }

    @Test
    void equalWaitsHaveExactlyTheAskedLength() {
        Work work = new Work(WorkSpec.of(MEAN), 1, System::nanoTime);
        assertThat(LongStream.generate(work::nextNanos).limit(10)).containsOnly(5_000_000L);
    }

    @Test
    void cpuWorkTakesTheAskedCpuTimeOfItsThread() {
        Work work = new Work(new WorkSpec(Duration.ZERO, Duration.ZERO, Duration.ofMillis(20)), 1, System::nanoTime);
        double[] took = new double[5];
        for (int i = 0; i < took.length; i++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            work.perform(System.nanoTime(), () -> false);
            took[i] = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6;
        }
        Arrays.sort(took);
        assertThat(took[0]).isGreaterThanOrEqualTo(20);
        // The host of a virtual machine may take its CPU during any work, and the CPU time of the thread includes that.
        assertThat(took[2]).isLessThan(22);
    }

    @Test
    void waitThatEndsLateShortensTheNext() {
        long[] now = {0};
        // Each look at this clock takes 0.3 ms, so each wait of 5 ms alone would end late.
        Work work = new Work(WorkSpec.of(MEAN), 1, () -> now[0] += 300_000);
        long end = 0;
        for (int i = 0; i < 100; i++) {
            end = work.perform(end, () -> false);
        }
        assertThat(end / 1e6).isBetween(500.0, 500.3);
    }

    @Test
    void starvedThreadDoesNotMakeUpForMoreThanAMillisecond() {
        long[] now = {0};
        long[] step = {100_000_000};
        Work work = new Work(WorkSpec.of(MEAN), 1, () -> now[0] += step[0]);
        assertThat(work.perform(0, () -> false)).isEqualTo(100_000_000);
        step[0] = 100_000;
        assertThat(work.perform(100_000_000, () -> false)).isBetween(104_000_000L, 104_100_000L);
    }

    @Test
    void abandonedWaitEndsEarly() {
        Work work = new Work(WorkSpec.of(Duration.ofHours(1)), 1, System::nanoTime);
        long start = System.nanoTime();
        assertThat(work.perform(start, () -> System.nanoTime() - start > 20_000_000) - start)
                .isLessThan(Duration.ofMinutes(1).toNanos());
    }
}
