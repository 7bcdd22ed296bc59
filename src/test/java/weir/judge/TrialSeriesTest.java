package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.results.WindowRow;
import weir.results.WindowRows;
import weir.results.value.StepResult;
import weir.run.Sample;

class TrialSeriesTest {
    /** The host is busy in the measured seconds 2, 3 and 4, and idle in second 5, after the drain. */
    private static final ProbeSeries SERIES = ProbeSeries.of(IntStream.rangeClosed(1, 6)
            .mapToObj(second -> new Reading(second, "host", "cpu.busy.percent", second < 5 ? 99 : 3))
            .toList());

    private static WindowRow row(double second, long acked, double p50) {
        WindowRow.Spread response = new WindowRow.Spread(p50, p50, p50, p50);
        return WindowRows.of(
                second,
                2,
                acked,
                acked,
                0,
                0,
                Map.of(LatencyKind.RESPONSE, response, LatencyKind.SERVICE, response),
                Double.NaN,
                Double.NaN);
    }

    private static TrialSeries course() {
        TrialSeries course = new TrialSeries();
        for (int second = 0; second < 10; second++) {
            course.add(row(second, 100 + second, second));
        }
        return course;
    }

    @Test
    void onlyWholeSecondsCount() {
        assertThat(course().throughput(2.5, 6.5)).containsExactly(103, 104, 105);
        assertThat(course().latency(2.5, 6.5)).containsExactly(3, 4, 5);
    }

    @Test
    void aTrialThatWasStoppedAtOnceHasNone() {
        assertThat(course().throughput(2.6, 2.7)).isEmpty();
    }

    private static Numbers counts(long due, long acked) {
        Map<Count, Long> counts = Map.of(Count.DUE, due, Count.ACKED, acked);
        return Numbers.of(counts);
    }

    private static StepResult step(double from, double to) {
        return new StepResult(100.0, 2, "100/s", from, to - from, Sample.GOOD.figures(), null, null, null, null);
    }

    /** Returns seconds with 100 due messages and these response p99s. */
    private static TrialSeries slow(double... millis) {
        TrialSeries course = new TrialSeries();
        for (int second = 0; second < millis.length; second++) {
            course.add(row(second, 100, millis[second]));
            course.add(2, second, counts(100, 100));
        }
        return course;
    }

    @Test
    void calmBeginsWithThreeCalmSecondsInARow() {
        TrialSeries course = slow(90, 90, 2, 90, 3, 2, 2, 90);
        assertThat(course.calmAfter(step(0, 8), 10, false)).isEqualTo(4);
        assertThat(course.calmAfter(step(4, 8), 10, false)).isEqualTo(0);
        assertThat(course.calmAfter(step(0, 6), 10, false)).isNull();
        assertThat(course.calmAfter(step(0, 8), 100, false)).isEqualTo(0);
    }

    @Test
    void ofAStepOfTwoSecondsTwoAreEnough() {
        assertThat(slow(90, 2, 2).calmAfter(step(1, 3), 10, false)).isEqualTo(0);
        assertThat(slow(90, 2, 90).calmAfter(step(1, 3), 10, false)).isNull();
    }

    @Test
    void acksOfEarlierStepsDoNotCountAsAchieved() {
        TrialSeries course = new TrialSeries();
        for (int second = 0; second < 6; second++) {
            course.add(row(second, 300, 2));
            course.add(3, second, counts(50, second < 5 ? 0 : 40));
            course.add(2, second, counts(0, 300));
        }
        course.add(3, 6, counts(0, 260));
        StepResult step = new StepResult(50.0, 3, "50/s", 0, 6, Sample.GOOD.figures(), null, null, null, null);
        assertThat(course.calmAfter(step, 10, false)).isNull();
        assertThat(course.achieved(3, 6, false)).isEqualTo(40);
        assertThat(course.achieved(3, 7, false)).isEqualTo(300);
        assertThat(course.achieved(3, 7, true)).isZero();
    }

    @Test
    void stepWithoutReadRecordsIsNotCalm() {
        assertThat(slow(2, 2, 2, 2).calmAfter(step(0, 4), 10, true)).isNull();
    }

    @Test
    void timeRangeExcludesItsEndSecond() {
        assertThat(SERIES.mean("host", "cpu.busy.percent", 2, 5)).isEqualTo(99);
        assertThat(SERIES.meanOfSums("host", "cpu.busy.percent", 2, 5)).isEqualTo(99);
        assertThat(SERIES.last("host", "cpu.busy.percent", 2, 5)).isEqualTo(99);
        assertThat(SERIES.values("host", "cpu.busy.percent", 2, 5)).hasSize(3);
    }
}
