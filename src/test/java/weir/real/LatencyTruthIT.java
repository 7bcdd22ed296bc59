package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import weir.cluster.relay.Relay;
import weir.cluster.relay.Relay.Direction;
import weir.cluster.relay.RelayEffect;
import weir.cluster.start.EmbeddedCluster;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;

/** The latencies say what a relay did to the producer's requests, by its own record. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
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

    @ParameterizedTest
    @EnumSource
    void aDelayMovesResponseAndE2eByWhatItWas(Carrier carrier) throws Exception {
        AtomicReference<Duration> delayed = new AtomicReference<>();
        Carried carried = Carried.load(
                cluster,
                folder,
                carrier.producersBehind(cluster),
                """
                topics: { t: {} }
                load:
                  workload: deliver
                  rate: { steps: [50/s for 4s, 50/s for 4s], rest: 1s }
                  producer: { linger.ms: 0 }
                warmup: 3s
                measure: null
                """,
                load -> {
                    LockSupport.parkNanos(4_500_000_000L);
                    try (RelayEffect delay = relay.delay(Direction.REQUESTS, Duration.ofMillis(40))) {
                        LockSupport.parkNanos(5 * SECOND);
                        delayed.set(delay.meanDelay());
                    }
                },
                topics -> {});
        Numbers before = carried.numbers(Steps.MEASURE, Steps.MEASURE);
        Numbers after = carried.numbers(Steps.MEASURE + 1, Steps.MEASURE + 1);
        double moved = delayed.get().toNanos() / MILLI;
        assertThat(moved).isBetween(40.0, 42.0);
        for (LatencyKind metric : new LatencyKind[] {LatencyKind.RESPONSE, LatencyKind.SERVICE, LatencyKind.E2E}) {
            // A tenth of it, for what the machine itself does to two medians of some milliseconds.
            assertThat(after.latency(metric).millis(50) - before.latency(metric).millis(50))
                    .as(metric.word())
                    .isCloseTo(moved, within(4.0));
        }
        assertThat(after.latency(LatencyKind.LATE).millis(50)).isLessThan(2);
    }

    /** Ten seconds at 1,000/s, and a stall of two. */
    private Stalled stalled(Carrier carrier, String producer) throws Exception {
        AtomicReference<RelayEffect> act = new AtomicReference<>();
        Carried carried = Carried.load(
                cluster,
                folder,
                carrier.producersBehind(cluster),
                """
                topics: { t: {} }
                load: { workload: produce, rate: 1000/s, value: { size: 100B }, producer: { %s } }
                warmup: 2s
                measure: 10s
                """.formatted(producer),
                load -> {
                    LockSupport.parkNanos(4 * SECOND);
                    try (RelayEffect stall = relay.stall(Direction.REQUESTS)) {
                        act.set(stall);
                        LockSupport.parkNanos(2 * SECOND);
                    }
                },
                topics -> {});
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.ACKED)).isEqualTo(10_000);
        return new Stalled(carried, act.get());
    }

    private record Stalled(Carried carried, RelayEffect stall) {
        /** The latency that follows from the due times and the wait for the end of the stall, and from nothing else. */
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

    @Test
    void aStallIsInResponseAndWithRoomInTheBufferInServiceToo() throws Exception {
        Stalled stalled = stalled(Carrier.CLIENT, "buffer.memory: 33554432");
        stalled.assertShownBy(LatencyKind.RESPONSE);
        stalled.assertShownBy(LatencyKind.SERVICE);
        assertThat(stalled.latency(LatencyKind.BACKPRESSURE).millis(99)).isLessThan(60);
        assertThat(stalled.latency(LatencyKind.LATE).millis(99)).isLessThan(60);
    }

    @ParameterizedTest
    @EnumSource
    void withoutRoomServiceHidesAStallAndResponseDoesNot(Carrier carrier) throws Exception {
        // On the wire there is never more room than for the batches in flight.
        Stalled stalled = stalled(carrier, carrier == Carrier.CLIENT ? "buffer.memory: 65536" : "linger.ms: 5");
        stalled.assertShownBy(LatencyKind.RESPONSE);
        stalled.assertShownBy(LatencyKind.BACKPRESSURE);
        assertThat(stalled.latency(LatencyKind.SERVICE).millis(99)).isLessThan(60);
        assertThat(stalled.latency(LatencyKind.LATE).millis(99)).isLessThan(60);
    }
}
