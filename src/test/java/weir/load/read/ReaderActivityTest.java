package weir.load.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.Reading;

class ReaderActivityTest {
    private static final long MILLI = 1_000_000;

    private final ReaderActivity activity = new ReaderActivity(3);

    private List<Reading> changes() {
        List<Reading> changes = new ArrayList<>();
        activity.reportChanges(0, changes::add);
        return changes;
    }

    @Test
    void pauseLastsFromTheLastRecordBeforeARebalanceToTheFirstRecordAfterIt() {
        activity.rebalanced(4, 500 * MILLI);
        assertThat(activity.came(1_000 * MILLI)).isEqualTo(-1);
        assertThat(activity.came(1_100 * MILLI)).isEqualTo(-1);
        activity.rebalanced(0, 1_200 * MILLI);
        activity.rebalanced(2, 1_300 * MILLI);
        assertThat(activity.came(1_500 * MILLI)).isEqualTo(400 * MILLI);
        assertThat(activity.came(1_600 * MILLI)).isEqualTo(-1);
        assertThat(changes())
                .containsExactly(
                        new Reading(0.5, "reader-3", ReaderActivity.PARTITIONS, 4),
                        new Reading(1.2, "reader-3", ReaderActivity.PARTITIONS, 0),
                        new Reading(1.3, "reader-3", ReaderActivity.PARTITIONS, 2),
                        new Reading(1.5, "reader-3", ReaderActivity.PAUSE, 400));
        assertThat(changes()).isEmpty();
    }

    @Test
    void timeBeforeARecordWasDueIsNoFetching() {
        activity.fetched(10, 0, 300 * MILLI, 400 * MILLI);
        activity.fetched(10, 400 * MILLI, 200 * MILLI, 450 * MILLI);
        activity.worked(500 * MILLI);
        List<Reading> second = new ArrayList<>();
        activity.report(0, second::add);
        assertThat(second)
                .containsExactly(
                        new Reading(0, "reader-3", ReaderActivity.RECORDS, 20),
                        new Reading(0, "reader-3", ReaderActivity.WORKING, 50),
                        new Reading(0, "reader-3", ReaderActivity.FETCHING, 15),
                        new Reading(0, "reader-3", ReaderActivity.COMMITTING, 0));
    }

    @Test
    void latenciesOfASecondHaveASumAndAMaximum() {
        activity.received(2 * MILLI);
        activity.received(6 * MILLI);
        List<Reading> second = new ArrayList<>();
        activity.report(0, second::add);
        activity.report(1, second::add);
        assertThat(second)
                .filteredOn(reading -> !reading.metric().endsWith("percent") && reading.value() > 0)
                .containsExactly(
                        new Reading(0, "reader-3", ReaderActivity.RECEIVED, 2),
                        new Reading(0, "reader-3", ReaderActivity.E2E_SUM, 8),
                        new Reading(0, "reader-3", ReaderActivity.E2E_MAX, 6));
    }
}
