package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.Reading;

class ReadingsTest {
    private static final long SECOND = 1_000_000_000L;

    private final Readings meter = new Readings("host");

    @Test
    void theFirstLookAtATotalGivesNothing() {
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
    void aMeanIsThatOfWhatWasAdded() {
        mean(0, 100, 10);
        assertThat(mean(1, 160, 12)).containsExactly(new Reading(1, "host", "m", 30));
        assertThat(mean(2, 160, 12)).as("nothing was added").isEmpty();
    }

    @Test
    void aSumThatWasReadBesideItsCountIsNoReset() {
        mean(0, 100, 10);
        assertThat(mean(1, 95, 11)).isEmpty();
        assertThat(meter.absences()).isEmpty();
        assertThat(mean(2, 125, 12)).containsExactly(new Reading(2, "host", "m", 30));
        assertThat(mean(3, 10, 1)).as("it began anew").isEmpty();
        assertThat(meter.absences()).hasSize(1);
    }

    @Test
    void aTotalThatWentBackwardsGivesNothingForThatSecondAndGoesOnFromThere() {
        rate(0, 0, 4_294_967_290.0);
        assertThat(rate(1, SECOND, 4)).isEmpty();
        assertThat(meter.absences()).containsExactly(new Absence("host", "r", "its counter went backwards", 1));
        assertThat(rate(2, 2 * SECOND, 14)).containsExactly(new Reading(2, "host", "r", 10));
        assertThat(meter.absences()).isEmpty();
    }

    @Test
    void aTotalThatWasAwayForTooLongStartsAnew() {
        rate(0, 0, 1);
        assertThat(rate(16, 16 * SECOND, 100)).isEmpty();
        assertThat(rate(17, 17 * SECOND, 101)).containsExactly(new Reading(17, "host", "r", 1));
    }

    @Test
    void whatIsNotANumberIsNotKnown() {
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
