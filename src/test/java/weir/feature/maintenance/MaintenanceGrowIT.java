package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.maintenance.OperationResult.Part;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.CapacityResult;
import weir.results.value.Event;
import weir.results.value.ExpectResult;
import weir.run.RealRun;

/** A broker that joins a real cluster during a load, and an active controller that is killed. */
@Tag("long")
@Timeout(300)
class MaintenanceGrowIT {
    @TempDir
    Path root;

    private RunResult run(String plan) throws Exception {
        return RealRun.of(root, plan);
    }

    private static TrialFolder trial(RunResult run) throws Exception {
        return RunFolder.open(Path.of(run.run())).trials().get(0);
    }

    private static long count(TrialFolder trial, String node, String text) throws Exception {
        String log = Files.readString(trial.path().resolve("brokers/" + node + ".log"));
        return Pattern.compile(text).matcher(log).results().count();
    }

    @Test
    void addedBrokerTakesItsShareOfTheReplicasAndLosesNothing() throws Exception {
        RunResult run = run("cluster: { kafka: 4.4.0, brokers: 2, fresh: trial, " + MaintenanceIT.JVM + """
                 }
                topics: { t: { partitions: 6, replication: 2 } }
                load: { workload: deliver, rate: 200/s, producer: { acks: all } }
                warmup: 1s
                measure: 5s
                during: { grow: { at: 2s, max: 2m, settle: 3s, add: { throttle: 20MB/s } } }
                """);
        OperationResult grow = run.models(OperationResult.class).get(0);
        assertThat(grow.parts()).extracting(Part::subject).containsExactly("before", "broker 3", "cluster", "after");
        assertThat(grow.lost()).isZero();
        TrialFolder trial = trial(run);
        assertThat(count(trial, "broker-3", "Created log for partition t-\\d")).isEqualTo(4);
        assertThat(trial.readings((source, metric) -> source.equals("broker-3")))
                .as("figures of the added broker")
                .isNotEmpty();
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse(""))
                        .filter(line -> line.contains(root.toString())))
                .isEmpty();
    }

    @Test
    void capacityIsSearchedOnOneClusterBeforeAndAfterABrokerJoins() throws Exception {
        RunResult run = run("cluster: { kafka: 4.4.0, brokers: 1, fresh: trial, " + MaintenanceIT.JVM + """
                 }
                topics: { t: { partitions: 2 } }
                load: { workload: deliver, value: { size: 100B } }
                warmup: 1s
                measure: 3s
                search:
                  capacity: { limits: [response p99 < 2s], from: 100/s, to: 400/s, precision: 50%, warmup: 1s, measure: 1s }
                during: { grow: { at: 1s, max: 2m, settle: 1s, add: { move: none } } }
                """);
        List<CapacityResult> found = run.conclusion().found().capacities();
        assertThat(found).extracting(CapacityResult::of).containsExactly("base", "base after grow");
        // Even a busy machine sustains the highest allowed rate.
        assertThat(found).extracting(CapacityResult::rate).containsOnly(400.0);
        RunFolder folder = RunFolder.open(Path.of(run.run()));
        assertThat(folder.trials()).isEmpty();
        List<Path> logs = folder.searched().stream()
                .map(trial -> trial.path().resolve("brokers/broker-1.log"))
                .filter(Files::exists)
                .toList();
        assertThat(logs).as("clusters").hasSize(1);
        // Each trial after the operation makes a topic with one partition on each of the two brokers.
        assertThat(Files.readString(logs.get(0).resolveSibling("broker-2.log"))
                        .lines()
                        .filter(line -> line.matches(".*Created log for partition t-\\d.*")))
                .hasSize(found.get(1).tried().size() + 2);
        assertThat(run.conclusion().answer()).contains(" after grow");
    }

    @Test
    void activeControllerIsKilledAndStartedAgain() throws Exception {
        RunResult run = run("cluster: { kafka: 4.4.0, brokers: 1, controllers: 3, " + MaintenanceIT.JVM + """
                 }
                load: { workload: deliver, rate: 100/s }
                warmup: 1s
                measure: 12s
                during: { control: { at: 2s, for: 4s, kill: controller } }
                expect: [lost == 0]
                """);
        TrialFolder trial = trial(run);
        List<String> events = trial.events().stream()
                .filter(event -> event.name().startsWith(Event.DISTURBANCE))
                .map(Event::text)
                .toList();
        assertThat(events.get(0)).matches("control: the active controller, node 10[123], is killed");
        String node = events.get(0).replaceAll("\\D", "");
        assertThat(events).last().isEqualTo("control: the active controller, node " + node + ", is started again");
        for (String controller : List.of("101", "102", "103")) {
            assertThat(count(trial, "controller-" + controller, "Kafka version: "))
                    .isEqualTo(controller.equals(node) ? 2 : 1);
        }
        assertThat(run.expect()).isNotEmpty().allMatch(ExpectResult::passed);
    }
}
