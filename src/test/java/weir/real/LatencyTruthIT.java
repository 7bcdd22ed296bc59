package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.relay.Relay;
import weir.cluster.relay.Relay.Direction;
import weir.cluster.relay.RelayEffect;
import weir.cluster.start.EmbeddedCluster;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;

/** The latencies of requests that a relay delays, compared with the relay's own record. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("alone")
class LatencyTruthIT {
    private static final long SECOND = 1_000_000_000L;
    private static final double MILLI = 1e6;

    @TempDir
    static Path folder;

    private RelayedKafka kafka;
    private EmbeddedCluster cluster;
    private Relay relay;

    @BeforeAll
    void start() {
        kafka = RelayedKafka.start(folder);
        cluster = kafka.cluster();
        relay = kafka.relay();
    }

    @AfterAll
    void stop() {
        kafka.close();
    }

    /** A load that runs at the same time as others through one relay, so that all meet the same faults. */
    private record Beside(Carrier carrier, String yaml) {}

    /** Runs all of them at once. When the last load measures, {@code act} changes the relay. */
    private List<Carried> together(List<Beside> loads, Callable<?> act) throws Exception {
        CountDownLatch measuring = new CountDownLatch(loads.size());
        ExecutorService threads = Executors.newFixedThreadPool(loads.size() + 1);
        try {
            Future<?> acted = threads.submit(() -> {
                measuring.await();
                return act.call();
            });
            List<Callable<Carried>> carrying = new ArrayList<>();
            for (Beside load : loads) {
                carrying.add(() -> Carried.load(
                        cluster,
                        folder,
                        load.carrier.producersBehind(cluster),
                        load.yaml,
                        begun -> measuring.countDown(),
                        topics -> {}));
            }
            List<Carried> carried = new ArrayList<>();
            for (Future<Carried> each : threads.invokeAll(carrying)) {
                carried.add(each.get());
            }
            acted.get();
            return carried;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void delayShiftsResponseAndEndToEndLatencyExactly() throws Exception {
        AtomicReference<Duration> delayed = new AtomicReference<>();
        String yaml = """
                topics: { t: {} }
                load:
                  workload: deliver
                  rate: { steps: [50/s for 3s, 50/s for 3s], rest: 2s }
                  producer: { linger.ms: 0 }
                warmup: 3s
                measure: null
                """;
        List<Carried> both = together(List.of(new Beside(Carrier.CLIENT, yaml), new Beside(Carrier.WIRE, yaml)), () -> {
            // Between the steps of both loads, of which one may have begun a second after the other.
            LockSupport.parkNanos(3_500_000_000L);
            try (RelayEffect delay = relay.delay(Direction.REQUESTS, Duration.ofMillis(40))) {
                LockSupport.parkNanos(5 * SECOND);
                delayed.set(delay.meanDelay());
            }
            return delayed;
        });
        double moved = delayed.get().toNanos() / MILLI;
        assertThat(moved).isBetween(40.0, 42.0);
        for (Carried carried : both) {
            Numbers before = carried.numbers(Steps.MEASURE, Steps.MEASURE);
            Numbers after = carried.numbers(Steps.MEASURE + 1, Steps.MEASURE + 1);
            for (LatencyKind metric : new LatencyKind[] {LatencyKind.RESPONSE, LatencyKind.SERVICE, LatencyKind.E2E}) {
                // A tenth of the delay, because the machine changes two medians by some milliseconds.
                assertThat(after.latency(metric).millis(50)
                                - before.latency(metric).millis(50))
                        .as(metric.word())
                        .isCloseTo(moved, within(4.0));
            }
            assertThat(after.latency(LatencyKind.LATE).millis(50)).isLessThan(2);
        }
    }

    /** Ten seconds at 1,000/s each, and a stall of two seconds. */
    @Test
    void stallAppearsInTheMatchingLatencyKind() throws Exception {
        String yaml = """
                topics: { t: {} }
                load: { workload: produce, rate: 1000/s, value: { size: 100B }, producer: { %s } }
                warmup: 2s
                measure: 10s
                """;
        AtomicReference<RelayEffect> act = new AtomicReference<>();
        List<Carried> carried = together(
                List.of(
                        new Beside(Carrier.CLIENT, yaml.formatted("buffer.memory: 33554432")),
                        new Beside(Carrier.CLIENT, yaml.formatted("buffer.memory: 65536")),
                        new Beside(Carrier.WIRE, yaml.formatted("linger.ms: 5"))),
                () -> {
                    LockSupport.parkNanos(3 * SECOND);
                    try (RelayEffect stall = relay.stall(Direction.REQUESTS)) {
                        act.set(stall);
                        LockSupport.parkNanos(2 * SECOND);
                    }
                    return act;
                });
        Stalled holdsIdentity = new Stalled(carried.get(0), act.get());
        holdsIdentity.assertShownBy(LatencyKind.RESPONSE);
        holdsIdentity.assertShownBy(LatencyKind.SERVICE);
        assertThat(holdsIdentity.latency(LatencyKind.BACKPRESSURE).millis(99)).isLessThan(60);
        assertThat(holdsIdentity.latency(LatencyKind.LATE).millis(99)).isLessThan(60);
        // A message that is due just after a call begins to block waits for nearly all of the call.
        double blocked = carried.get(1).numbers().latency(LatencyKind.BLOCKED).maxMillis();
        assertThat(blocked).isGreaterThan(1_900);
        assertThat(carried.get(1).numbers().latency(LatencyKind.BACKPRESSURE).maxMillis())
                .isGreaterThan(0.9 * blocked);
        // A full client hides the stall from service. On the wire there is space only for batches in flight.
        for (Stalled tight : List.of(new Stalled(carried.get(1), act.get()), new Stalled(carried.get(2), act.get()))) {
            tight.assertShownBy(LatencyKind.RESPONSE);
            tight.assertShownBy(LatencyKind.BACKPRESSURE);
            assertThat(tight.latency(LatencyKind.SERVICE).millis(99)).isLessThan(60);
            assertThat(tight.latency(LatencyKind.LATE).millis(99)).isLessThan(60);
        }
    }

    private record Stalled(Carried carried, RelayEffect stall) {
        Stalled {
            assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.ACKED)).isEqualTo(10_000);
        }

        /** Returns the latency that follows only from the due times and the wait for the end of the stall. */
        double expectedMillis(double percentile) {
            long start = carried.measured.startNanos();
            double[] waits = LongStream.range(0, 10_000)
                    .map(n -> start + n * 1_000_000)
                    .map(due -> due >= stall.startNanos() && due < stall.endNanos() ? stall.endNanos() - due : 0)
                    .mapToDouble(nanos -> nanos / MILLI)
                    .sorted()
                    .toArray();
            return waits[(int) Math.ceil(percentile / 100 * waits.length) - 1];
        }

        Latency latency(LatencyKind metric) {
            return carried.numbers().latency(metric);
        }

        void assertShownBy(LatencyKind metric) {
            Latency shown = latency(metric);
            double longest = expectedMillis(100);
            assertThat(shown.maxMillis()).as(metric.word()).isCloseTo(longest, within(0.03 * longest));
            double p99 = expectedMillis(99);
            assertThat(shown.millis(99)).as(metric.word()).isCloseTo(p99, within(0.03 * p99));
            assertThat(shown.millis(90)).as(metric.word()).isCloseTo(expectedMillis(90), within(60.0));
            assertThat(shown.millis(50)).as(metric.word()).isLessThan(60);
        }
    }
}
