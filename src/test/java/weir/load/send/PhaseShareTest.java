package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

class PhaseShareTest {
    private static final long SECOND = 1_000_000_000;

    private static PhaseShare share(MeasureSpec measure, long operations) {
        RateSpec rate = new RateSpec.Fixed(Rate.of(10), false);
        Schedule whole = Schedules.of(rate, measure, new RateSpec.Senders(1, 1), 1);
        return new PhaseShare(
                new PhaseShare.Plan(2, whole, PhaseSchedule.NO_LIMIT, operations, SECOND, Schedule.NEVER, 0, 1));
    }

    private static List<Long> dues(PhaseSchedule schedule, int most) {
        List<Long> dues = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            long due = schedule.next();
            if (due == Schedule.NEVER) {
                break;
            }
            schedule.due(due, due);
            dues.add((due - SECOND) / 1_000_000);
        }
        return dues;
    }

    @Test
    void readerWithMoreRecordsDoesTheOperationsThatAnotherReaderCannotDo() {
        PhaseShare share = share(new MeasureSpec.Operations(6), 6);
        PhaseSchedule few = share.flexibleShare(0, 2);
        PhaseSchedule many = share.flexibleShare(1, 2);
        assertThat(dues(few, 1)).containsExactly(0L);
        assertThat(share.over()).isFalse();
        assertThat(dues(many, 9)).containsExactly(100L, 300L, 500L, 500L, 500L);
        assertThat(share.over()).isTrue();
    }

    @Test
    void phaseIsNotOverBeforeItsLastOperationIsDue() {
        PhaseShare share = share(new MeasureSpec.Operations(1), 1);
        PhaseSchedule only = share.flexibleShare(0, 1);
        long due = only.next();
        assertThat(share.over()).isFalse();
        assertThat(only.due(due, due)).isTrue();
        assertThat(share.over()).isTrue();
    }
}
