package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

class PhaseScheduleTest {
    @Test
    void anOpenPaceIsItsScheduleFromTheStartOn() {
        Schedule schedule = Schedules.of(
                new RateSpec.Fixed(Rate.of(10), false),
                new MeasureSpec.For(Duration.ofMillis(250)),
                new RateSpec.Senders(1, 1),
                1);
        PhaseSchedule pace = PhaseSchedule.open(schedule, 1_000);
        List<Long> due = new ArrayList<>();
        for (long next = pace.next(); next != Schedule.NEVER; next = pace.next()) {
            due.add(next);
        }
        assertThat(due).containsExactly(1_000L, 100_001_000L, 200_001_000L);
    }

    @Test
    void whatIsPutBackComesAgain() {
        PhaseSchedule pace = PhaseSchedule.closed(5, new AtomicLong(1), 1);
        long due = pace.next();
        pace.putBack(due);
        assertThat(pace.next()).isEqualTo(due);
        assertThat(pace.next()).isEqualTo(Schedule.NEVER);
    }

    @Test
    void thoseWhoShareOperationsNeverDoMoreThanThereAre() {
        AtomicLong left = new AtomicLong(10);
        PhaseSchedule one = PhaseSchedule.closed(0, left, 1);
        PhaseSchedule other = PhaseSchedule.closed(0, left, 1);
        assertThat(one.claim(7) + other.claim(7) + one.claim(7)).isEqualTo(10);
    }

    @Test
    void sharesOfOperationsAddUpExactly() {
        PhaseShare stint = new PhaseShare(
                new PhaseShare.Plan(2, Schedule.CLOSED, PhaseSchedule.NO_LIMIT, 10, 0, Schedule.NEVER, 0, 1));
        long all = 0;
        for (int i = 0; i < 4; i++) {
            PhaseSchedule pace = stint.deal(i, 4);
            while (pace.next() != Schedule.NEVER) {
                all++;
            }
        }
        assertThat(all).isEqualTo(10);
    }
}
