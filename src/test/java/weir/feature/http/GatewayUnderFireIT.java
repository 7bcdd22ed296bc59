package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.judge.caveat.Promises;
import weir.load.message.Identity;
import weir.measure.Count;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.real.SharedKafka;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.Figures;
import weir.results.value.RateKind;
import weir.run.AgreeingListener;
import weir.run.RunListener;
import weir.run.RunOptions;
import weir.run.Runner;

/** Gateways behind balancers, killed, stopped and paused: acked records are in Kafka, by another client's count. */
@Tag("alone")
@ExtendWith(SharedKafka.class)
@Timeout(120)
class GatewayUnderFireIT {
    @TempDir
    Path root;

    @ParameterizedTest
    @ValueSource(strings = {"kill: gateway 1 | haproxy", "stop: gateway 2 | nginx", "pause: gateway 1 | none"})
    void ackedRecordsAreInTheLog(String text, SharedKafka.Clusters clusters) throws Exception {
        String[] asked = text.split(" \\| ", 2);
        String bootstrap = clusters.one().bootstrap();
        String topic = GatewayIT.topic(bootstrap);
        Path file = Files.writeString(root.resolve("fire.yaml"), """
                name: fire
                cluster: { bootstrap: "%s" }
                topics: { %s: { existing: true } }
                bridge: { gateway: { instances: 2 }, balancer: %s }
                load:
                  workload: deliver
                  engine: { send: http, receive: client }
                  connections: 8
                  rate: 300/s
                  value: { size: 100B }
                  http: { timeout: 3s }
                warmup: none
                measure: 7s
                during: { fault: { at: 1s, for: 1s, %s } }
                """.formatted(bootstrap, topic, asked[1], asked[0]));
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        RunResult result = new Runner(experiment, options, question -> true).run();

        Figures figures = result.trials().get(0).figures();
        assertThat(figures.orZero(Count.LOST)).isZero();
        assertThat(figures.orZero(Count.UNRESOLVED)).isZero();
        assertThat(figures.orZero(Count.ACKED)).isGreaterThan(100);
        assertThat(GatewayIT.log(bootstrap, topic, new ByteArrayDeserializer()).stream()
                        .map(record -> Identity.sequence(record.value()))
                        .distinct()
                        .count())
                .isEqualTo(figures.orZero(Count.RECEIVED));
        // A killed gateway cannot acknowledge records that it has written just before.
        assertThat(figures.orZero(Count.RECEIVED) - figures.orZero(Count.GHOSTS))
                .isEqualTo(figures.orZero(Count.ACKED));
        // The log grew by the acked records, as the brokers report for all seconds but the first and the last.
        assertThat(figures.orZero(RateKind.APPENDED))
                .isBetween(0.6 * figures.orZero(RateKind.ACKED), 1.4 * figures.orZero(RateKind.ACKED));
        Path trial = RunFolder.open(Path.of(result.run())).trials().get(0).path();
        assertThat(trial.resolve("gateway-2.log")).exists();
        assertThat(Files.readString(trial.resolve("events.csv")))
                .contains(asked[0].split(": ", 2)[1] + " is ")
                .doesNotContain(Event.ENDED);
        assertThat(result.caveats()).noneMatch(caveat -> caveat.is(CaveatType.named("bridge-died")));
    }

    @Test
    void unexpectedEndOfABalancerRaisesACaveat(SharedKafka.Clusters clusters) throws Exception {
        Path file = Files.writeString(
                root.resolve("unasked.yaml"), """
                name: unasked
                cluster: { bootstrap: "%s" }
                bridge: { gateway: { instances: 1 }, balancer: haproxy }
                load:
                  workload: produce
                  engine: { send: http, receive: client }
                  rate: 100/s
                  value: { size: 100B }
                  http: { timeout: 1s }
                warmup: none
                measure: 4s
                drain: 2s
                """.formatted(clusters.one().bootstrap()));
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        CompletableFuture<Boolean> killed = new CompletableFuture<>();
        RunListener killing = new AgreeingListener() {
            @Override
            public void window(Trial ran, WindowRow row) {
                if (!killed.isDone()) {
                    killed.complete(killTheBalancer());
                }
            }
        };
        RunResult result = new Runner(experiment, options, killing).run();
        assertThat(killed.get(1, TimeUnit.SECONDS)).isTrue();

        assertThat(result.caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("bridge-died")))
                .singleElement()
                .extracting(Caveat::evidence, InstanceOfAssertFactories.STRING)
                .contains("haproxy ended at ", "it was killed (signal 9");
        Path trial = RunFolder.open(Path.of(result.run())).trials().get(0).path();
        assertThat(Files.readString(trial.resolve("events.csv"))).contains("haproxy" + Event.ENDED);
        // A gateway is not a broker, so no promise of Kafka was broken.
        assertThat(Promises.kept(
                        RunFolder.open(Path.of(result.run())).trials().get(0),
                        result.trials().get(0)))
                .isTrue();
    }

    private boolean killTheBalancer() {
        return ProcessHandle.current()
                .descendants()
                .filter(child -> child.info()
                        .arguments()
                        .map(arguments -> String.join(" ", arguments).contains(root + "/"))
                        .orElse(false))
                .filter(child -> child.info().command().orElse("").endsWith("haproxy"))
                .findFirst()
                .orElseThrow()
                .destroyForcibly();
    }
}
