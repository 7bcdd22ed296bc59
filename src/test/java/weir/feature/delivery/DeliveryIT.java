package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.host.Ports;
import weir.measure.Count;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.real.SharedKafka;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.Figures;
import weir.results.value.HopResult;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** Events on all paths, as a run starts them. Each accepted event is counted. */
@ExtendWith(SharedKafka.class)
@Timeout(120)
class DeliveryIT {
    @TempDir
    Path root;

    private TrialResult run(SharedKafka.Clusters clusters, String yaml) throws Exception {
        Path file = Files.writeString(
                root.resolve("delivery.yaml"),
                "name: delivery\ncluster: { bootstrap: \"" + clusters.one().bootstrap() + "\" }\n" + yaml);
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        RunResult result = new Runner(experiment, options, question -> true).run();
        return result.trials().get(0);
    }

    private Path trial() throws IOException {
        try (var runs = Files.list(root.resolve("runs"))) {
            return RunFolder.open(runs.filter(Files::isDirectory).findFirst().orElseThrow())
                    .trials()
                    .get(0)
                    .path();
        }
    }

    @Test
    void everyEventArrivesOnceByTheLongestPath(SharedKafka.Clusters clusters) throws Exception {
        assertArriveOnce("kafka-broker", clusters);
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"direct", "memory-channel", "memory-broker", "kafka-channel", "kafka-source"})
    void everyEventArrivesOnceByEachOtherPath(String path, SharedKafka.Clusters clusters) throws Exception {
        assertArriveOnce(path, clusters);
    }

    private void assertArriveOnce(String path, SharedKafka.Clusters clusters) throws Exception {
        TrialResult trial = run(clusters, """
                topics: { events: { partitions: 4 } }
                bridge: { path: %s }
                load: { workload: deliver, engine: http, rate: 100/s, value: { size: 1KiB, content: letters } }
                warmup: 4s
                measure: 4s
                """.formatted(path));
        Figures figures = trial.figures();
        assertThat(figures.orZero(Count.DUE)).isEqualTo(400);
        assertThat(figures.orZero(Count.ACKED)).isEqualTo(400);
        assertThat(figures.orZero(Count.RECEIVED)).isEqualTo(400);
        assertThat(figures.orZero(Count.LOST)).isZero();
        assertThat(figures.orZero(Count.UNREAD)).isZero();
        assertThat(figures.orZero(Count.DUPLICATED)).isZero();
        assertThat(figures.orZero(Count.FOREIGN)).isZero();
        // The table of hops and the receiver cover the same time.
        double sum = trial.hops().stream().mapToDouble(HopResult::mean).sum();
        double mean = Objects.requireNonNull(figures.e2e().mean());
        assertThat(sum).isCloseTo(mean, within(0.05 * mean));
    }

    @Test
    void refusedEventsAreRetriedAndParkedAsCalculated(SharedKafka.Clusters clusters) throws Exception {
        TrialResult trial = run(clusters, """
                topics: { events: { partitions: 4 }, dead: { partitions: 1 } }
                bridge:
                  path: kafka-channel
                  delivery: { retry: 1, backoffPolicy: linear, backoffDelay: 20ms, deadLetterSink: dead }
                load:
                  workload: deliver
                  engine: http
                  rate: 200/s
                  value: { size: 100B }
                  receiver: { fail: 20% }
                warmup: 3s
                measure: 5s
                """);
        Figures figures = trial.figures();
        long acked = figures.orZero(Count.ACKED);
        // A busy machine leaves events unsent. They say nothing about retries.
        assertThat(acked + figures.orZero(Count.UNSENT))
                .as("%s %s", figures.counts(), trial.failures())
                .isEqualTo(1_000);
        assertThat(acked).isGreaterThan(200);
        // Refused twice: 0.2² of the events, within four standard deviations.
        double parked = 0.04 * acked;
        assertThat((double) figures.orZero(Count.PARKED)).isCloseTo(parked, within(4 * Math.sqrt(0.96 * parked)));
        assertThat(figures.orZero(Count.RECEIVED) + figures.orZero(Count.PARKED))
                .isEqualTo(acked);
        assertThat(figures.orZero(Count.LOST)).isZero();
        assertThat(figures.orZero(Count.UNREAD)).isZero();
    }

    @Tag("alone")
    @ParameterizedTest
    @ValueSource(strings = {"memory-channel", "kafka-channel", "kafka-source"})
    void everyEventIsAccountedForAfterAKilledProcess(String path, SharedKafka.Clusters clusters) throws Exception {
        TrialResult trial = run(clusters, """
                topics: { events: { partitions: 4 } }
                bridge: { path: %s, concurrency: 8 }
                load:
                  workload: deliver
                  engine: http
                  rate: 500/s
                  value: { size: 1KiB, content: letters }
                  receiver: { delay: 20ms }
                  http: { timeout: 3s }
                warmup: none
                measure: 8s
                during: { crash: { at: 3s, for: 1s, kill: %s } }
                """.formatted(path, path.equals("kafka-source") ? "source" : "channel"));
        Figures figures = trial.figures();
        assertThat(figures.orZero(Count.ACKED)).isGreaterThan(2_000);
        assertThat(figures.orZero(Count.UNREAD)).isZero();
        long absent = figures.orZero(Count.ACKED) - figures.orZero(Count.RECEIVED) + figures.orZero(Count.GHOSTS);
        assertThat(figures.orZero(Count.LOST)).isGreaterThanOrEqualTo(absent);
        if (path.startsWith("kafka")) {
            assertThat(figures.orZero(Count.LOST)).isZero();
        } else {
            // The killed channel's events: eight in flight for 20 ms are at most 400/s, and 500/s arrive.
            assertThat(figures.orZero(Count.LOST)).isPositive();
        }
        assertThat(Files.readString(trial().resolve("events.csv"))).contains("is killed");
    }

    @Test
    @Tag("long")
    void fullChannelRefusesSendersAndItsEventsAreUnread(SharedKafka.Clusters clusters) throws Exception {
        TrialResult trial = run(clusters, """
                topics: { events: { partitions: 4 } }
                bridge: { path: memory-channel, concurrency: 1, memory: 1MiB }
                load:
                  workload: deliver
                  engine: http
                  rate: 1000/s
                  value: { size: 1KiB, content: letters }
                  receiver: { delay: 20ms }
                warmup: none
                measure: 4s
                drain: 2s
                """);
        Figures figures = trial.figures();
        // The subscriber accepts at most 50/s, and the channel stores at most 1,024.
        assertThat(figures.orZero(Count.RECEIVED)).isBetween(10L, 330L);
        assertThat(figures.orZero(Count.UNREAD)).isBetween(600L, 1_024L);
        assertThat(figures.orZero(Count.FAILED)).isGreaterThan(1_000);
        assertThat(figures.orZero(Count.LOST)).isZero();
        assertThat(figures.orZero(Count.ACKED))
                .isEqualTo(figures.orZero(Count.RECEIVED) + figures.orZero(Count.UNREAD));
    }

    @Test
    @Tag("long")
    void eventsHeldByAForeignPathAreUnread(SharedKafka.Clusters clusters) throws Exception {
        String receiver = "127.0.0.1:" + new Ports().getAsInt();
        EventProcessSettings settings = EventProcessUnderTest.settings(
                EventProcessSettings.Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(), "", "http://" + receiver);
        try (EventProcess channel = EventProcess.start(settings, System::nanoTime)) {
            TrialResult trial = run(clusters, """
                    bridge: { url: "http://127.0.0.1:%d/" }
                    load:
                      workload: deliver
                      engine: http
                      rate: 200/s
                      value: { size: 1KiB, content: letters }
                      listen: %s
                      receiver: { delay: 2s }
                    warmup: none
                    measure: 4s
                    drain: 2s
                    """.formatted(channel.address().getPort(), receiver));
            // The channel sends at most 100 events at once, each for 2 s: 300 in the 6 s of load and drain.
            Figures figures = trial.figures();
            assertThat(figures.orZero(Count.ACKED)).isEqualTo(800);
            assertThat(figures.orZero(Count.LOST)).isZero();
            assertThat(figures.orZero(Count.UNREAD)).isPositive().isEqualTo(800 - figures.orZero(Count.RECEIVED));
        }
    }
}
