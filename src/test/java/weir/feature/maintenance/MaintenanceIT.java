package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.maintenance.OperationResult.Part;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.DisturbanceResult;
import weir.run.RealRun;

/** Maintenance of real brokers during a load. */
@Timeout(240)
class MaintenanceIT {
    static final String JVM = "heap: 256MiB, jvm: [\"-XX:TieredStopAtLevel=1\"]";

    @TempDir
    Path root;

    private RunResult run(String plan) throws Exception {
        return RealRun.of(root, plan);
    }

    private String log(RunResult run, String node) throws Exception {
        Path folder = RunFolder.open(Path.of(run.run())).trials().get(0).path();
        return Files.readString(folder.resolve("brokers/" + node + ".log"));
    }

    @Test
    void restartedBrokerIsAwayAndThePhaseEndsWhenTheOperationHasSettled() throws Exception {
        RunResult run = run("cluster: { kafka: 4.4.0, brokers: 2, " + JVM + """
                 }
                topics: { t: { partitions: 4, replication: 2 } }
                load: { workload: produce, rate: 200/s, producer: { acks: all } }
                warmup: 1s
                measure: 5s
                verify: false
                during: { roll: { at: 2s, max: 2m, settle: 3s, restart: { brokers: 2 } } }
                """);
        OperationResult roll = run.models(OperationResult.class).get(0);
        assertThat(roll.parts()).extracting(Part::subject).containsExactly("before", "broker 2", "after");
        Part restart = roll.parts().get(1);
        assertThat(restart.away()).isBetween(1.0, restart.seconds());
        assertThat(restart.sync()).isNotNegative();
        assertThat(roll.parts().get(2).seconds()).isBetween(2.9, 6.0);
        assertThat(run.trials().get(0).seconds()).isLessThan(60);
        assertThat(log(run, "broker-2")).contains("Transition from SHUTTING_DOWN to SHUTDOWN");
    }

    @Test
    @Tag("long")
    void upgradedClusterRunsTheNewReleaseOnTheSameDataAndLosesNothing() throws Exception {
        RunResult run = run("cluster: { kafka: 3.9.2, brokers: 3, controllers: 1, fresh: trial, " + JVM + """
                 }
                topics: { t: { partitions: 6, replication: 3, config: { min.insync.replicas: 2 } } }
                load: { workload: deliver, rate: 200/s, producer: { acks: all } }
                warmup: 1s
                measure: 5s
                during: { up: { at: 2s, max: 3m, settle: 3s, upgrade: { to: 4.4.0 } } }
                """);
        OperationResult upgrade = run.models(OperationResult.class).get(0);
        assertThat(upgrade.parts())
                .extracting(Part::subject)
                .containsExactly("before", "controller 101", "broker 1", "broker 2", "broker 3", "cluster", "after");
        assertThat(upgrade.took()).isPositive();
        assertThat(upgrade.lost()).isZero();
        for (String node : List.of("controller-101", "broker-1", "broker-2", "broker-3")) {
            assertThat(log(run, node)).contains("Kafka version: 3.9.2", "Kafka version: 4.4.0");
        }
    }

    @Test
    @Tag("long")
    @Timeout(480)
    void overlappingOperationsRunOneAfterTheOtherAndTheDowngradeRestoresTheRelease() throws Exception {
        RunResult run = run("cluster: { kafka: 3.9.2, brokers: 2, controllers: 1, fresh: trial, " + JVM + """
                 }
                topics: { t: { partitions: 4, replication: 2 } }
                load: { workload: deliver, rate: 100/s, producer: { acks: all } }
                warmup: 1s
                measure: 5s
                during:
                  up: { at: 1s, max: 3m, settle: 3s, upgrade: { to: 4.4.0, finalize: false } }
                  grow: { at: 2s, max: 3m, settle: 3s, add: { brokers: 1 } }
                  more: { at: 3s, max: 3m, settle: 3s, add: { brokers: 1, move: none } }
                  z: { at: 4s, max: 3m, settle: 3s, downgrade: { to: 3.9.2 } }
                """);
        List<DisturbanceResult> operations = run.trials().get(0).disturbances();
        assertThat(operations).extracting(DisturbanceResult::name).containsExactly("up", "grow", "more", "z");
        for (int i = 1; i < operations.size(); i++) {
            assertThat(operations.get(i).from())
                    .isGreaterThanOrEqualTo(
                            Objects.requireNonNull(operations.get(i - 1).to()));
        }
        OperationResult down = run.models(OperationResult.class).get(3);
        assertThat(down.what()).isEqualTo("downgrade of 4 brokers from 4.4.0 to 3.9.2");
        assertThat(down.parts())
                .extracting(Part::subject)
                .containsExactly("before", "broker 1", "broker 2", "broker 3", "broker 4", "controller 101", "after");
        assertThat(down.lost()).isZero();
        assertThat(versions(run, "broker-1")).containsExactly("3.9.2", "4.4.0", "3.9.2");
        assertThat(versions(run, "broker-4")).containsExactly("4.4.0", "3.9.2");
        assertThat(versions(run, "controller-101")).containsExactly("3.9.2", "4.4.0", "3.9.2");
    }

    private List<String> versions(RunResult run, String node) throws Exception {
        return Pattern.compile("Kafka version: (\\S+)")
                .matcher(log(run, node))
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
