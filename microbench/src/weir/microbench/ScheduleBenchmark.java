package weir.microbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;

/** The cost of asking for the next due time, for one producer of three. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScheduleBenchmark {
    @Param({"fixed", "steps", "ramp", "poisson", "burst", "replay"})
    public String rate = "fixed";

    private static final RateSpec.Senders SENDERS = new RateSpec.Senders(1, 1);

    private Schedule schedule = Schedules.of(rate(), new MeasureSpec.AsLongAsRates(), SENDERS, 1);

    @Setup(Level.Iteration)
    public void start() {
        schedule = Schedules.of(rate(), new MeasureSpec.For(Duration.ofDays(300)), SENDERS, 1)
                .share(1, 3);
    }

    private RateSpec rate() {
        Rate million = Rate.of(1e6);
        if (rate.equals("steps")) {
            RateSpec.Step step = new RateSpec.Step(million, false, Duration.ofSeconds(1));
            return new RateSpec.Steps(List.of(step, step, step, step), Duration.ZERO, false);
        }
        if (rate.equals("ramp")) {
            return new RateSpec.Ramp(Rate.of(1000), million, Duration.ofDays(300));
        }
        if (rate.equals("burst")) {
            return new RateSpec.Burst(1_000, Duration.ofMillis(1));
        }
        if (rate.equals("replay")) {
            return new RateSpec.Replay(replayed());
        }
        return rate.equals("poisson") ? new RateSpec.Poisson(million) : new RateSpec.Fixed(million, false);
    }

    /** A rate for every second of an hour, of which the last holds. */
    private static Path replayed() {
        String lines = IntStream.range(0, 3600)
                .mapToObj(second -> second + "," + (990_000 + second))
                .collect(Collectors.joining("\n"));
        try {
            Path file = Files.createTempFile("weir", ".csv");
            file.toFile().deleteOnExit();
            return Files.writeString(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("writing rates to replay", e);
        }
    }

    @Benchmark
    public long next() {
        return schedule.next();
    }
}
