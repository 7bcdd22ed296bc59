package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;

/** Windows of a second at 100/s from second 10 on; the first five are quiet. */
class DisturbanceJudgeTest {
    private final List<WindowRow> rows = new ArrayList<>();
    private final ProbeSeries readings = new ProbeSeries();
    private boolean reads;
    private final List<Event> events = new ArrayList<>(List.of(
            new Event(10, Event.PHASE, "measure"), new Event(15, Event.DISTURBANCE, "crash: broker 2 is killed")));

    DisturbanceJudgeTest() {
        then(5, 100, 4);
    }

    /** Adds windows with this number of acks and this p99 in milliseconds. */
    private void then(int windows, int acked, double p99) {
        then(windows, acked, 0, p99);
    }

    private void then(int windows, int acked, int received, double p99) {
        for (int i = 0; i < windows; i++) {
            WindowRow.Spread spread = new WindowRow.Spread(1, p99, p99, p99);
            rows.add(WindowRows.of(
                    10 + rows.size(),
                    2,
                    100,
                    acked,
                    0,
                    received,
                    acked == 0 ? Map.of() : Map.of(LatencyKind.RESPONSE, spread),
                    Double.NaN,
                    Double.NaN));
        }
    }

    private DisturbanceResult only() {
        List<DisturbanceResult> all = DisturbanceJudge.of(events, rows, readings, reads);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void arrivalOfMessagesInFlightDoesNotEndAGap() {
        then(1, 0, 3, 0);
        then(1, 0, 0, 0);
        then(1, 0, 1, 0);
        then(10, 100, 100, 4);
        assertThat(only().gap()).isEqualTo(3);
    }

    @Test
    void gapIsTheLongestRunOfEmptyWindows() {
        then(2, 0, 0);
        then(1, 10, 2_000);
        then(3, 0, 0);
        then(10, 100, 4);
        assertThat(only().gap()).isEqualTo(3);
        assertThat(only().name()).isEqualTo("crash");
        assertThat(only().what()).isEqualTo("broker 2 is killed");
        assertThat(only().to()).isNull();
    }

    @Test
    void readerStandstillIsAGap() {
        reads = true;
        then(7, 100, 0, 4);
        then(10, 100, 100, 4);
        assertThat(only().gap()).isEqualTo(7);
        assertThat(only().recovery())
                .as("not before the readers get what is sent")
                .isEqualTo(7);
    }

    @Test
    void recoveryBeginsWithTheFirstOfThreeNormalWindows() {
        then(4, 0, 0);
        then(2, 100, 4);
        then(1, 100, 500);
        then(5, 100, 17);
        assertThat(only().recovered()).isTrue();
        assertThat(only().recovery()).isEqualTo(7);
        assertThat(only().recoveryTime()).isEqualTo("7 s");
    }

    @Test
    void recoveryCountsFromTheEndOfADisturbanceThatHasOne() {
        events.add(new Event(18, Event.DISTURBANCE_OVER, "crash"));
        then(3, 0, 0);
        then(2, 60, 900);
        then(4, 99, 18);
        assertThat(only().to()).isEqualTo(18);
        assertThat(only().recovery()).isEqualTo(2);
    }

    @Test
    void invisibleDisturbanceHasZeroGapAndRecovery() {
        events.add(new Event(18, Event.DISTURBANCE_OVER, "crash"));
        then(10, 100, 4);
        assertThat(only().gap()).isZero();
        assertThat(only().recovery()).isZero();
    }

    @Test
    void unfinishedRecoveryIsALowerBound() {
        then(6, 50, 4);
        assertThat(only().recovered()).isFalse();
        assertThat(only().recovery()).isEqualTo(6);
        assertThat(only().recoveryTime()).isEqualTo("≥ 6 s");
    }

    @Test
    void recoveryRequiresWindowsBeforeAndAfter() {
        events.set(1, new Event(10, Event.DISTURBANCE, "crash: broker 2 is killed"));
        then(5, 100, 4);
        assertThat(only().recovery()).isNull();
        events.set(1, new Event(12, Event.DISTURBANCE, "crash: broker 2 is killed"));
        events.add(new Event(40, Event.DISTURBANCE_OVER, "crash"));
        assertThat(only().recovery()).isNull();
        assertThat(only().recoveryTime()).isEqualTo("–");
    }

    @Test
    void recoveryRequiresTheEarlierReaderLag() {
        reads = true;
        events.add(new Event(18, Event.DISTURBANCE_OVER, "crash"));
        then(3, 0, 0, 0);
        then(9, 100, 100, 4);
        for (int second = 10; second < 27; second++) {
            double lag = second < 15 ? 3 : second < 21 ? 90 : 16;
            readings.add(new Reading(second, "readers", "lag.records", lag));
        }
        assertThat(only().recovery())
                .as("the lag is at most twice 3 and 10 from second 21 on")
                .isEqualTo(3);
    }

    @Test
    void recoveryIsUnknownWithFewerThanThreeWindowsAfter() {
        events.add(new Event(18, Event.DISTURBANCE_OVER, "crash"));
        then(3, 0, 0);
        then(2, 100, 4);
        assertThat(only().recovery()).isNull();
        assertThat(only().recoveryTime()).isEqualTo("–");
        then(1, 100, 4);
        assertThat(only().recovery()).isZero();
    }

    @Test
    void theDisturbancesOfOtherVariantsHaveNoResult() {
        events.set(1, new Event(15, Event.DISTURBANCE, "crash" + Event.ELSEWHERE));
        assertThat(DisturbanceJudge.of(events, rows, new ProbeSeries(), reads)).isEmpty();
    }
}
