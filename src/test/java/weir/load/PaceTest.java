package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import weir.pace.Length;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.Rate;
import weir.plan.RateSpec;

class PaceTest {
    @Test
    void anOpenPaceIsItsScheduleFromTheStartOn() {
        Schedule schedule =
                Schedules.of(new RateSpec.Fixed(Rate.of(10), false), new Length.For(Duration.ofMillis(250)), 1, 1, 1);
        Pace pace = Pace.open(schedule, 1_000);
        List<Long> due = new ArrayList<>();
        for (long next = pace.next(); next != Schedule.NEVER; next = pace.next()) {
            due.add(next);
        }
        assertThat(due).containsExactly(1_000L, 100_001_000L, 200_001_000L);
    }

    @Test
    void whatIsPutBackComesAgain() {
        Pace pace = Pace.closed(5, new AtomicLong(1), 1);
        long due = pace.next();
        pace.putBack(due);
        assertThat(pace.next()).isEqualTo(due);
        assertThat(pace.next()).isEqualTo(Schedule.NEVER);
    }

    @Test
    void thoseWhoShareOperationsNeverDoMoreThanThereAre() {
        AtomicLong left = new AtomicLong(10);
        Pace one = Pace.closed(0, left, 1);
        Pace other = Pace.closed(0, left, 1);
        assertThat(one.claim(7) + other.claim(7) + one.claim(7)).isEqualTo(10);
    }

    @Test
    void sharesOfOperationsAddUpExactly() {
        Stint stint = new Stint(2, new Stint.Plan(new RateSpec.Max(), Stint.CLOSED, 10, 0, Schedule.NEVER, 0, 1));
        long all = 0;
        for (int i = 0; i < 4; i++) {
            Pace pace = stint.deal(i, 4);
            while (pace.next() != Schedule.NEVER) {
                all++;
            }
        }
        assertThat(all).isEqualTo(10);
    }
}
