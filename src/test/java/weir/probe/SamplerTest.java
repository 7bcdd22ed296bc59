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

    private final List<Reading> heard = new ArrayList<>();
    private long now = ORIGIN;
    private final Sampler sampler = new Sampler(ORIGIN, () -> now, heard::addAll);

    /** Counts its looks and glances, and how often it was closed. */
    private static class Counting implements Probe {
        int looks;
        int glances;
        int closes;

        @Override
        public void look(Readings into) {
            looks++;
            into.level("looks", looks);
        }

        @Override
        public void glance() {
            glances++;
        }

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void aReadingBelongsToTheSecondThatHasJustEnded() {
        sampler.watch("a", List.of(new Counting()));
        turnAt(0);
        turnAt(1_003);
        turnAt(2_001);
        assertThat(heard).containsExactly(new Reading(0, "a", "looks", 2), new Reading(1, "a", "looks", 3));
    }

    @Test
    void secondsBeforeTheOriginAreNegative() {
        sampler.watch("a", List.of(new Counting()));
        turnAt(-3_000);
        turnAt(-1_999);
        assertThat(heard).extracting(Reading::second).containsExactly(-3.0);
    }

    @Test
    void whoeverIsWatchedFromTheMiddleOfASecondIsReadAtTheEndOfTheNext() {
        turnAt(500);
        sampler.watch("a", List.of(new Counting()));
        turnAt(600);
        turnAt(1_000);
        assertThat(heard).isEmpty();
        turnAt(2_000);
        assertThat(heard).containsExactly(new Reading(1, "a", "looks", 2));
    }

    @Test
    void betweenTwoLooksItGlances() {
        Counting probe = new Counting();
        sampler.watch("a", List.of(probe));
        turnAt(0);
        turnAt(100);
        turnAt(200);
        assertThat(probe.looks).isEqualTo(1);
        assertThat(probe.glances).isEqualTo(2);
    }

    @Test
    void aStallLeavesAGapAndNoInventedSeconds() {
        sampler.watch("a", List.of(new Counting()));
        turnAt(0);
        turnAt(1_000);
        turnAt(4_500);
        turnAt(5_001);
        assertThat(heard).extracting(Reading::second).containsExactly(0.0, 3.0, 4.0);
    }

    @Test
    void whenOneSaysGoneAllThatAreWatchedWithItLeave() {
        Counting beside = new Counting();
        Counting elsewhere = new Counting();
        Probe dying = into -> into.gone("process 17 has ended");
        sampler.watch("broker-1", List.of(dying, beside));
        sampler.watch("broker-2", List.of(elsewhere));
        turnAt(0);
        turnAt(1_000);
        assertThat(beside.looks).isZero();
        assertThat(beside.closes).isEqualTo(1);
        assertThat(elsewhere.looks).isEqualTo(2);
        assertThat(sampler.absences()).containsExactly(new Absence("broker-1", "*", "process 17 has ended", 0));
    }

    @Test
    void aProbeThatStumblesCostsOnlyItsOwnFigures() {
        Probe broken = into -> {
            throw new ArrayIndexOutOfBoundsException("3");
        };
        sampler.watch("a", List.of(broken, new Counting()));
        turnAt(0);
        turnAt(1_000);
        assertThat(heard).containsExactly(new Reading(0, "a", "looks", 2));
        assertThat(sampler.absences())
                .singleElement()
                .satisfies(absence -> assertThat(absence.why()).contains("ArrayIndexOutOfBounds"));
    }

    /** A clock on which a second is over with every look of the thread. */
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
    void aReaderOfReadingsThatFailsIsHeardOfAtClose() throws InterruptedException {
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

    private void turnAt(long millis) {
        now = ORIGIN + millis * MILLI;
        sampler.turn();
    }
}
