package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.pace.Schedule;

class LoadPhasesTest {
    private static final long SECOND = 1_000_000_000L;

    /** Returns the first whole second at which a stage can begin, for this time of the request and this notice. */
    private static long begins(long nanos, long noticeNanos) {
        return ((nanos + noticeNanos) / SECOND + 1) * SECOND;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20, 250, 999, 1_000, 1_001, 1_800, 2_000, 2_500, 2_999, 10_000, 60_000})
    void theMeasuredStageBeginsInTheFirstWholeSecondAfterTheWarmUpAndNoneLater(long millis) {
        long warmup = millis * 1_000_000;
        long whole = (warmup + SECOND - 1) / SECOND * SECOND;
        assertThat(begins(Load.warmupEndNotice(warmup), 100_000_000)).isEqualTo(whole);
        assertThat(begins(Load.warmupEndNotice(warmup), 700_000_000)).isEqualTo(whole);
    }

    @Test
    void openEndedWarmUpHasNoEndNotice() {
        assertThat(Load.warmupEndNotice(Schedule.NEVER)).isEqualTo(Schedule.NEVER);
    }
}
