package weir.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.ReplayedRatesTest;

class ShareTest {
    private static List<RateSpec> some(SplittableRandom random) {
        Rate rate = Rate.of(random.nextInt(4) == 0 ? random.nextDouble(0.01, 3) : random.nextDouble(3, 2000));
        Rate other = Rate.of(random.nextInt(3000));
        Duration time = Duration.ofMillis(random.nextInt(1, 1500));
        List<RateSpec.Step> steps = new ArrayList<>();
        StringBuilder lines = new StringBuilder("0," + random.nextInt(900) + "\n");
        for (int i = 0, count = random.nextInt(1, 5); i < count; i++) {
            Rate held = Rate.of(random.nextInt(5) == 0 ? 0 : random.nextDouble(900));
            steps.add(new RateSpec.Step(held, random.nextBoolean(), Duration.ofMillis(random.nextInt(900))));
            lines.append((i + 1) * 0.37).append(',').append(random.nextInt(900)).append('\n');
        }
        return List.of(
                new RateSpec.Fixed(rate, random.nextBoolean()),
                new RateSpec.Steps(steps, Duration.ofMillis(random.nextInt(2) * 300L), false),
                new RateSpec.Ramp(rate, other, time),
                new RateSpec.Burst(random.nextInt(1, 50), time),
                new RateSpec.Replay(ReplayedRatesTest.file(lines.toString())));
    }

    private static MeasureSpec length(SplittableRandom random) {
        return random.nextBoolean()
                ? new MeasureSpec.For(Duration.ofMillis(random.nextInt(3000)))
                : new MeasureSpec.Operations(random.nextInt(3000));
    }

    private static List<List<Long>> seen(Schedule schedule) {
        List<List<Long>> seen = new ArrayList<>();
        // Rates may fall to zero before all operations were due.
        for (long due = schedule.next(); due != Schedule.NEVER; due = schedule.next()) {
            seen.add(List.of(due, (long) schedule.step()));
        }
        return seen;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theUnionOfSharesIsTheWholeForEveryRate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (RateSpec rate : some(random)) {
            MeasureSpec length = length(random);
            int of = random.nextInt(1, 20);
            int among = random.nextInt(1, 4);
            List<List<Long>> union = new ArrayList<>();
            for (int worker = 0; worker < among; worker++) {
                for (int i = 0; i < of; i++) {
                    Schedule whole = Schedules.of(rate, length, new RateSpec.Senders(3, 100), seed);
                    List<List<Long>> part = seen(whole.share(worker, among).share(i, of));
                    assertThat(part).isSortedAccordingTo((a, b) -> Long.compare(a.get(0), b.get(0)));
                    union.addAll(part);
                }
            }
            union.sort((a, b) -> Long.compare(a.get(0), b.get(0)));
            assertThat(union)
                    .as("%s for %s", rate, length)
                    .isEqualTo(seen(Schedules.of(rate, length, new RateSpec.Senders(3, 100), seed)));
        }
    }

    @Test
    void poissonSharesHaveAllOperationsTogether() {
        Schedule whole = Schedules.of(
                new RateSpec.Poisson(Rate.of(100)), new MeasureSpec.Operations(1001), new RateSpec.Senders(1, 100), 7);
        int operations = 0;
        for (int i = 0; i < 8; i++) {
            operations += seen(whole.share(i, 8)).size();
        }
        assertThat(operations).isEqualTo(1001);
    }

    @Test
    void poissonSharesDoNotRepeatEachOther() {
        Schedule whole = Schedules.of(
                new RateSpec.Poisson(Rate.of(100)), new MeasureSpec.Operations(1000), new RateSpec.Senders(1, 100), 7);
        assertThat(seen(whole.share(0, 2))).doesNotContainAnyElementsOf(seen(whole.share(1, 2)));
    }

    @Test
    void aShareBeyondTheLastIsRefused() {
        Schedule whole = SchedulesTest.open(SchedulesTest.fixed(1), new MeasureSpec.AsLongAsRates());
        assertThatThrownBy(() -> whole.share(3, 3)).hasMessageContaining("share 3 of 3");
        Schedule poisson = SchedulesTest.open(new RateSpec.Poisson(Rate.of(1)), new MeasureSpec.AsLongAsRates());
        assertThatThrownBy(() -> poisson.share(-1, 3)).hasMessageContaining("share -1 of 3");
    }
}
