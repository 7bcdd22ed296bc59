package weir.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.Ratio;
import weir.plan.ReplayedRatesTest;

class SchedulesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final MeasureSpec OWN = new MeasureSpec.AsLongAsRates();

    private final AtomicLong time = new AtomicLong();

    static Schedule open(RateSpec rate, MeasureSpec length) {
        return Schedules.of(rate, length, new RateSpec.Senders(1, 100), 7);
    }

    static MeasureSpec seconds(double seconds) {
        return new MeasureSpec.For(Duration.ofNanos((long) (seconds * SECOND)));
    }

    static RateSpec fixed(double perSecond) {
        return new RateSpec.Fixed(Rate.of(perSecond), false);
    }

    static RateSpec.Step step(double perSecond, int seconds) {
        return new RateSpec.Step(Rate.of(perSecond), false, Duration.ofSeconds(seconds));
    }

    static List<Long> all(Schedule schedule) {
        List<Long> due = new ArrayList<>();
        for (long next = schedule.next(); next != Schedule.NEVER; next = schedule.next()) {
            due.add(next);
        }
        return due;
    }

    @Test
    void everyRateIsScheduledOrAClosedLoopOrAskedTooEarly() {
        Map<RateSpec, String> examples = Map.of(
                new RateSpec.Max(),
                "closed",
                new RateSpec.AtATime(64),
                "closed",
                new RateSpec.OfCapacity(new Ratio(0.5)),
                "'50% of capacity' is not an open loop",
                fixed(5),
                "open",
                new RateSpec.Steps(List.of(step(5, 1)), Duration.ZERO, false),
                "open",
                new RateSpec.Ramp(Rate.of(1), Rate.of(9), Duration.ofSeconds(4)),
                "open",
                new RateSpec.Poisson(Rate.of(5)),
                "open",
                new RateSpec.Burst(5, Duration.ofSeconds(1)),
                "open",
                new RateSpec.Replay(ReplayedRatesTest.file("0,5\n1,5\n")),
                "open");
        assertThat(examples.keySet().stream().map(Object::getClass))
                .containsExactlyInAnyOrder(RateSpec.class.getPermittedSubclasses());
        examples.forEach((rate, kind) -> {
            assertThat(rate.closed()).isEqualTo(kind.equals("closed"));
            if (kind.equals("open")) {
                assertThat(open(rate, seconds(10)).next()).isBetween(0L, 10 * SECOND);
            } else {
                assertThatThrownBy(() -> open(rate, OWN))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(
                                kind.equals("closed") ? "' is not an open loop and has no due times" : kind);
            }
        });
    }

    @Test
    void everyLengthEndsASchedule() {
        Duration two = Duration.ofSeconds(2);
        Map<MeasureSpec, Integer> examples = Map.of(
                seconds(2),
                20,
                new MeasureSpec.UntilSettled(two, two, two),
                20,
                new MeasureSpec.Operations(7),
                7,
                OWN,
                10);
        assertThat(examples.keySet().stream().map(Object::getClass))
                .containsExactlyInAnyOrder(MeasureSpec.class.getPermittedSubclasses());
        RateSpec rate = new RateSpec.Steps(List.of(step(10, 1)), Duration.ZERO, false);
        examples.forEach((length, operations) -> {
            Schedule schedule = open(rate, length);
            assertThat(all(schedule)).hasSize(operations);
            assertThat(schedule.next()).isEqualTo(Schedule.NEVER);
        });
    }

    @Test
    void fixedRatesDoNotDriftOverHours() {
        SplittableRandom random = new SplittableRandom(3);
        for (double rate : new double[] {0.01, 0.3, 1, 3, 7, 999, 1000, 29_999.7, 50_000, 3e6, 9_999_999, 1e7}) {
            long hours = (long) (rate * 36_000);
            for (long n : new long[] {0, 1, 2, 3, 1000, hours - 1, hours, random.nextLong(hours + 1)}) {
                Schedule from = ((ClosedFormSchedule) open(fixed(rate), OWN)).part(n, 1);
                long exact = BigDecimal.valueOf(n)
                        .multiply(BigDecimal.valueOf(SECOND))
                        .divide(BigDecimal.valueOf(rate), 0, RoundingMode.FLOOR)
                        .longValueExact();
                assertThat(from.next()).as("operation %s at %s/s", n, rate).isCloseTo(exact, within(1L));
            }
        }
    }

    @Test
    void aFixedRateIsExactlyItsOperationsPerSecond() {
        assertThat(all(open(fixed(3), seconds(1)))).containsExactly(0L, 333_333_333L, 666_666_666L);
        assertThat(all(open(fixed(0.1), seconds(10)))).containsExactly(0L);
        assertThat(all(open(fixed(0.1), seconds(10.5)))).containsExactly(0L, 10 * SECOND);
        assertThat(all(open(fixed(3_000_000), seconds(1)))).hasSize(3_000_000);
        assertThat(all(open(fixed(0), seconds(1000)))).isEmpty();
    }

    @Test
    void perProducerRatesAreForEachOfThem() {
        RateSpec rate = new RateSpec.Fixed(Rate.of(350), true);
        Schedule whole = Schedules.of(rate, seconds(1), new RateSpec.Senders(2, 100), 7);
        assertThat(all(whole)).hasSize(700);
        assertThat(all(Schedules.of(rate, seconds(1), new RateSpec.Senders(2, 100), 7)
                        .share(1, 2)))
                .hasSize(350);
    }

    @Test
    void byteRatesAreDividedByTheBytesOfAnOperation() {
        RateSpec rate = new RateSpec.Fixed(new Rate(2000, Rate.Unit.BYTES), false);
        assertThat(all(Schedules.of(rate, seconds(1), new RateSpec.Senders(1, 250), 7)))
                .hasSize(8);
    }

    @Test
    void stepsFollowEachOtherWithRestsBetween() {
        RateSpec.Steps rate =
                new RateSpec.Steps(List.of(step(2, 2), step(0, 1), step(4, 1)), Duration.ofSeconds(5), false);
        assertThat(all(open(rate, OWN)).stream().map(due -> due / 1_000_000))
                .containsExactly(0L, 500L, 1000L, 1500L, 13_000L, 13_250L, 13_500L, 13_750L);
        assertThat(Schedules.steps(rate, OWN, new RateSpec.Senders(1, 100)))
                .containsExactly(
                        new StepWindow(0, 0, 2 * SECOND, 2, "2/s"),
                        new StepWindow(1, 7 * SECOND, SECOND, 0, "0/s"),
                        new StepWindow(2, 13 * SECOND, SECOND, 4, "4/s"));
    }

    @Test
    void aLengthCutsStepsOrHoldsTheLast() {
        RateSpec rate = new RateSpec.Steps(List.of(step(2, 1), step(4, 1)), Duration.ZERO, false);
        assertThat(all(open(rate, seconds(1.25)))).containsExactly(0L, SECOND / 2, SECOND);
        assertThat(all(open(rate, seconds(3)))).hasSize(2 + 8).endsWith(2_750_000_000L);
    }

    @Test
    void rampEndsOnTimeAndThenHoldsItsLastRate() {
        Schedule ramp = open(new RateSpec.Ramp(Rate.of(1), Rate.of(9), Duration.ofSeconds(4)), seconds(5.1));
        List<Long> due = all(ramp);
        assertThat(due.get(0)).isZero();
        assertThat(due.get(20)).isEqualTo(4 * SECOND);
        assertThat(due.get(29)).isEqualTo(5 * SECOND);
        assertThat(due).hasSize(30);
    }

    @Test
    void rampSendsTheAreaUnderItsCurve() {
        for (double[] ends : new double[][] {{0, 1000}, {1000, 0}, {200, 5000}, {5000, 200}, {700, 700}}) {
            RateSpec rate = new RateSpec.Ramp(Rate.of(ends[0]), Rate.of(ends[1]), Duration.ofSeconds(10));
            List<Long> due = all(open(rate, OWN));
            for (int n = 0; n < due.size(); n += 97) {
                double t = due.get(n) / 1e9;
                double area = ends[0] * t + (ends[1] - ends[0]) * t * t / 20;
                assertThat(area).isCloseTo(n, within(1e-4));
            }
            assertThat((double) due.size()).isCloseTo((ends[0] + ends[1]) * 5, within(1.0));
        }
    }

    @Test
    void burstsComeAtOnceAndAgain() {
        RateSpec rate = new RateSpec.Burst(3, Duration.ofSeconds(2));
        assertThat(all(open(rate, new MeasureSpec.Operations(7))))
                .containsExactly(0L, 0L, 0L, 2 * SECOND, 2 * SECOND, 2 * SECOND, 4 * SECOND);
        assertThat(all(open(rate, seconds(2)))).containsExactly(0L, 0L, 0L);
    }

    @Test
    void poissonGapsHaveTheMeanAndTheVarianceOfTheRate() {
        for (int shares : new int[] {1, 8}) {
            List<Long> due = new ArrayList<>();
            Schedule whole = open(new RateSpec.Poisson(Rate.of(1000)), seconds(200));
            for (int i = 0; i < shares; i++) {
                due.addAll(all(whole.share(i, shares)));
            }
            due.sort(null);
            double mean = (double) due.get(due.size() - 1) / due.size();
            double squares = 0;
            for (int i = 1; i < due.size(); i++) {
                double gap = due.get(i) - due.get(i - 1) - mean;
                squares += gap * gap;
            }
            // 200,000 gaps: three standard errors are 0.7 % of the mean and 1.9 % of the variance.
            assertThat(mean).isCloseTo(1e6, within(0.007e6));
            assertThat(squares / due.size()).isCloseTo(1e12, within(0.019e12));
        }
    }

    @Test
    void theSameSeedGivesTheSameArrivals() {
        RateSpec rate = new RateSpec.Poisson(Rate.of(1000));
        List<Long> first = all(open(rate, seconds(1)).share(1, 3));
        assertThat(all(open(rate, seconds(1)).share(1, 3))).isEqualTo(first);
        assertThat(all(Schedules.of(rate, seconds(1), new RateSpec.Senders(1, 100), 8)
                        .share(1, 3)))
                .isNotEqualTo(first);
    }

    @Test
    void everyRateIsOneStepUnlessItHasSeveral() {
        MeasureSpec minute = new MeasureSpec.For(Duration.ofMinutes(1));
        Rate bytes = new Rate(2e9, Rate.Unit.BYTES);
        Map<RateSpec, StepWindow> expected = Map.of(
                fixed(50_000),
                new StepWindow(0, 0, 60 * SECOND, 50_000, "50k/s"),
                new RateSpec.Fixed(bytes, true),
                new StepWindow(0, 0, 60 * SECOND, 4e7, "2GB/s per producer"),
                new RateSpec.Ramp(Rate.of(1500), Rate.of(2500), Duration.ofSeconds(30)),
                new StepWindow(0, 0, 60 * SECOND, 2250, "ramp 1500/s to 2500/s"),
                new RateSpec.Poisson(Rate.of(1.5e6)),
                new StepWindow(0, 0, 60 * SECOND, 1.5e6, "poisson 1.5M/s"),
                new RateSpec.Burst(10, Duration.ofMillis(2500)),
                new StepWindow(0, 0, 60 * SECOND, 4, "burst 10 every 2.5s"),
                new RateSpec.Burst(10, Duration.ofSeconds(25)),
                new StepWindow(0, 0, 60 * SECOND, 0.5, "burst 10 every 25s"),
                new RateSpec.Max(),
                new StepWindow(0, 0, 60 * SECOND, Double.NaN, "max"),
                new RateSpec.AtATime(1),
                new StepWindow(0, 0, 60 * SECOND, Double.NaN, "one at a time"));
        expected.forEach((rate, window) -> assertThat(Schedules.steps(rate, minute, new RateSpec.Senders(2, 100)))
                .containsExactly(window));
        assertThat(Schedules.steps(new RateSpec.Max(), new MeasureSpec.Operations(5), new RateSpec.Senders(1, 100))
                        .get(0)
                        .lengthNanos())
                .isEqualTo(Schedule.NEVER);
        Path file = ReplayedRatesTest.file("0,10\n10,30\n");
        assertThat(Schedules.steps(new RateSpec.Replay(file), OWN, new RateSpec.Senders(1, 100)))
                .containsExactly(new StepWindow(0, 0, 20 * SECOND, 20, "replay rates.csv"));
    }

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

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void theUnionOfSharesIsTheWholeForEveryRate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (RateSpec rate : some(random)) {
            MeasureSpec length = length(random);
            int of = random.nextInt(1, 20);
            int among = random.nextInt(1, 4);
            List<Long> union = new ArrayList<>();
            for (int worker = 0; worker < among; worker++) {
                for (int i = 0; i < of; i++) {
                    Schedule whole = Schedules.of(rate, length, new RateSpec.Senders(3, 100), seed);
                    List<Long> part = all(whole.share(worker, among).share(i, of));
                    assertThat(part).isSorted();
                    union.addAll(part);
                }
            }
            union.sort(Long::compare);
            assertThat(union)
                    .as("%s for %s", rate, length)
                    .isEqualTo(all(Schedules.of(rate, length, new RateSpec.Senders(3, 100), seed)));
        }
    }

    @Test
    void poissonSharesHaveAllOperationsTogether() {
        Schedule whole = open(new RateSpec.Poisson(Rate.of(100)), new MeasureSpec.Operations(1001));
        int operations = 0;
        for (int i = 0; i < 8; i++) {
            operations += all(whole.share(i, 8)).size();
        }
        assertThat(operations).isEqualTo(1001);
    }

    @Test
    void poissonSharesDoNotRepeatEachOther() {
        Schedule whole = open(new RateSpec.Poisson(Rate.of(100)), new MeasureSpec.Operations(1000));
        assertThat(all(whole.share(0, 2))).doesNotContainAnyElementsOf(all(whole.share(1, 2)));
    }

    @Test
    void aShareBeyondTheLastIsRefused() {
        Schedule whole = open(fixed(1), OWN);
        assertThatThrownBy(() -> whole.share(3, 3)).hasMessageContaining("share 3 must be below 3");
        Schedule poisson = open(new RateSpec.Poisson(Rate.of(1)), OWN);
        assertThatThrownBy(() -> poisson.share(-1, 3)).hasMessageContaining("share -1 must be below 3");
    }

    @Test
    void pacerReturnsAtOnceForAPastDueTime() {
        Pacer pacer = new Pacer(() -> time.addAndGet(1000));
        assertThat(pacer.await(500)).isEqualTo(1000);
    }

    @Test
    void pacerNeverReturnsBeforeTheDueTime() {
        Pacer pacer = new Pacer(() -> time.addAndGet(300));
        assertThat(pacer.await(1000)).isEqualTo(1200);
    }

    @Test
    void theRealClockIsNeverBeforeTheDueTime() {
        Pacer pacer = new Pacer(System::nanoTime);
        for (int i = 0; i < 100; i++) {
            long due = System.nanoTime() + 20_000;
            assertThat(pacer.await(due)).isGreaterThanOrEqualTo(due);
        }
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        Pacer pacer = new Pacer(() -> 5);
        Thread.currentThread().interrupt();
        assertThat(pacer.await(Long.MAX_VALUE)).isEqualTo(5);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void pacerThreadHasLowTimerSlackOnLinux() throws IOException {
        Path self = Path.of("/proc/thread-self");
        assumeTrue(Files.exists(self, LinkOption.NOFOLLOW_LINKS), "only Linux has a timer slack");
        Path slack = Path.of("/proc")
                .resolve(Files.readSymbolicLink(self).getFileName())
                .resolve("timerslack_ns");
        assumeTrue(Files.isWritable(slack), "not allowed here");
        new Pacer(() -> time.addAndGet(1000)).await(500);
        assertThat(Files.readString(slack).strip()).isEqualTo("1");
    }
}
