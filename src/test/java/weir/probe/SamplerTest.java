package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import weir.measure.Reading;

class SamplerTest {
    private static final long MILLI = 1_000_000L;
    private static final long ORIGIN = 7_000 * MILLI;
    private static final long SECOND = 1_000_000_000L;

    private final List<Reading> heard = new ArrayList<>();
    private long now = ORIGIN;
    private final Sampler sampler = new Sampler(ORIGIN, () -> now, heard::addAll);
    private final Readings meter = new Readings("host");

    private static class Counting implements Probe {
        int looks;
        int polls;
        int closes;

        @Override
        public void sample(Readings into) {
            looks++;
            into.level("looks", looks);
        }

        @Override
        public void sampleFast() {
            polls++;
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void aReadingBelongsToTheSecondThatHasJustEnded() {
        sampler.watch("a", List.of(new Counting()));
        turnsAt(0, 1_003, 2_001);
        assertThat(heard).containsExactly(new Reading(0, "a", "looks", 2), new Reading(1, "a", "looks", 3));
    }

    @Test
    void secondsBeforeTheOriginAreNegative() {
        sampler.watch("a", List.of(new Counting()));
        turnsAt(-3_000, -1_999);
        assertThat(heard).extracting(Reading::second).containsExactly(-3.0);
    }

    @Test
    void firstReadingCoversTheFirstFullSecond() {
        turnsAt(500);
        sampler.watch("a", List.of(new Counting()));
        turnsAt(600, 1_000);
        assertThat(heard).isEmpty();
        turnsAt(2_000);
        assertThat(heard).containsExactly(new Reading(1, "a", "looks", 2));
    }

    @Test
    void fastSamplesRunBetweenFullSamples() {
        Counting probe = new Counting();
        sampler.watch("a", List.of(probe));
        turnsAt(0, 100, 200);
        assertThat(probe.looks).isEqualTo(1);
        assertThat(probe.polls).isEqualTo(2);
    }

    @Test
    void samplerStallLeavesAGap() {
        sampler.watch("a", List.of(new Counting()));
        turnsAt(0, 1_000, 4_500, 5_001);
        assertThat(heard).extracting(Reading::second).containsExactly(0.0, 3.0, 4.0);
    }

    @Test
    void endedObjectDropsAllItsProbes() {
        Counting beside = new Counting();
        Counting elsewhere = new Counting();
        Probe dying = into -> into.gone("process 17 has ended");
        sampler.watch("broker-1", List.of(dying, beside));
        sampler.watch("broker-2", List.of(elsewhere));
        turnsAt(0, 1_000);
        assertThat(beside.looks).isZero();
        assertThat(beside.closes).isEqualTo(1);
        assertThat(elsewhere.looks).isEqualTo(2);
        assertThat(sampler.absences()).containsExactly(new Absence("broker-1", "*", "process 17 has ended", 0));
    }

    @Test
    void failingProbeLosesOnlyItsOwnFigures() {
        Probe broken = into -> {
            throw new ArrayIndexOutOfBoundsException("3");
        };
        sampler.watch("a", List.of(broken, new Counting()));
        turnsAt(0, 1_000);
        assertThat(heard).containsExactly(new Reading(0, "a", "looks", 2));
        assertThat(sampler.absences())
                .singleElement()
                .satisfies(absence -> assertThat(absence.why()).contains("ArrayIndexOutOfBounds"));
    }

    /** A clock that advances by a second with every reading. */
    private static long quick() {
        return 20 * System.nanoTime();
    }

    @Test
    void theThreadSamplesAndIsGoneAfterClose() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        Counting probe = new Counting();
        try (Sampler running = Sampler.start(0, SamplerTest::quick, reading -> read.countDown())) {
            running.watch("a", List.of(probe));
            assertThat(read.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(probe.closes).isEqualTo(1);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("weir-sampler");
    }

    @Test
    void failureOfTheReadingConsumerIsThrownByClose() throws InterruptedException {
        CountDownLatch called = new CountDownLatch(1);
        Sampler running = Sampler.start(0, SamplerTest::quick, reading -> {
            called.countDown();
            throw new IllegalStateException("the disk is full");
        });
        running.watch("a", List.of(new Counting()));
        assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(running::close)
                .hasMessageContaining("handing over readings")
                .hasRootCauseMessage("the disk is full");
        running.close();
    }

    private void turnsAt(long... millis) {
        for (long at : millis) {
            now = ORIGIN + at * MILLI;
            sampler.turn();
        }
    }

    @Test
    void firstSampleOfACounterGivesNoReading() {
        meter.begin(0, 0);
        meter.rate("r", 5);
        meter.count("c", 5);
        meter.mean("m", 5, 1);
        assertThat(meter.readings()).isEmpty();
    }

    @Test
    void aTotalGrowsPerSecondOfRealTimePassed() {
        rate(0, 0, 100);
        assertThat(rate(1, 2 * SECOND, 150)).containsExactly(new Reading(1, "host", "r", 25));
    }

    @Test
    void aCountIsNotDividedByTheTimePassed() {
        meter.begin(0, 0);
        meter.count("c", 3);
        meter.begin(1, 2 * SECOND);
        meter.count("c", 7);
        assertThat(meter.readings()).containsExactly(new Reading(1, "host", "c", 4));
    }

    @Test
    void meanCoversOnlyNewSamples() {
        mean(0, 100, 10);
        assertThat(mean(1, 160, 12)).containsExactly(new Reading(1, "host", "m", 30));
        assertThat(mean(2, 160, 12)).as("nothing was added").isEmpty();
    }

    @Test
    void slightlyInconsistentSumAndCountAreNoReset() {
        mean(0, 100, 10);
        assertThat(mean(1, 95, 11)).isEmpty();
        assertThat(meter.absences()).isEmpty();
        assertThat(mean(2, 125, 12)).containsExactly(new Reading(2, "host", "m", 30));
        assertThat(mean(3, 10, 1)).as("it began anew").isEmpty();
        assertThat(meter.absences()).hasSize(1);
    }

    @Test
    void counterDecreaseSkipsOneSecondAndContinues() {
        rate(0, 0, 4_294_967_290.0);
        assertThat(rate(1, SECOND, 4)).isEmpty();
        assertThat(meter.absences()).containsExactly(new Absence("host", "r", "its counter went backwards", 1));
        assertThat(rate(2, 2 * SECOND, 14)).containsExactly(new Reading(2, "host", "r", 10));
        assertThat(meter.absences()).isEmpty();
    }

    @Test
    void counterRestartsAfterALongGap() {
        rate(0, 0, 1);
        assertThat(rate(16, 16 * SECOND, 100)).isEmpty();
        assertThat(rate(17, 17 * SECOND, 101)).containsExactly(new Reading(17, "host", "r", 1));
    }

    @Test
    void readingWithoutANumberIsDropped() {
        meter.begin(0, 0);
        meter.level("l", Double.NaN);
        assertThat(meter.readings()).isEmpty();
    }

    @Test
    void anAbsenceRemembersItsFirstSecond() {
        for (int second = 3; second < 6; second++) {
            meter.begin(second, second * SECOND);
            meter.absent("x", "why");
        }
        assertThat(meter.absences()).containsExactly(new Absence("host", "x", "why", 3));
    }

    private List<Reading> rate(long second, long nanos, double total) {
        meter.begin(second, nanos);
        meter.rate("r", total);
        return meter.readings();
    }

    private List<Reading> mean(long second, double sum, double count) {
        meter.begin(second, second * SECOND);
        meter.mean("m", sum, count);
        return meter.readings();
    }
}
